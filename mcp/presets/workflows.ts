/**
 * The bundled workflow templates, as Markdown. They are text of modules and no files, so that every build of the product carries
 * them. Each is an example of what the workflow importer reads.
 */
export const WORKFLOW_TEMPLATES: Readonly<Record<string, string>> = {
  "morning-brief": `---
name: morning-brief
description: One page to start the day with.
schedule: "weekdays at 7:30am"
---

# Morning brief

Collects what matters today and leaves out what can wait.

## 1. Read the calendar

List today's appointments with time, place and people. Mark two that overlap.

## 2. Pick the open tasks

Take the tasks that are due today or late. Drop those that wait for somebody else.

## 3. Check the weather

One line: temperature, rain, and whether a bicycle is a good idea.

## 4. Write the brief

At most one page: the day in one sentence, appointments, three tasks, weather.
`,
  "feed-watch": `---
name: feed-watch
description: Tells when followed feeds have something new.
schedule: every 2 hours
---

# Feed watch

## Step 1: Fetch the feeds

Get every feed of the list. A feed that fails is noted and does not stop the others.

## Step 2: Drop what is known

Compare the links with those of the last run.

## Step 3: Rank what is new

Keep items that match the topics. Repeated stories count once.

## Step 4: Send a digest

Title, source and one sentence each. Send nothing when nothing is new.

## Step 5: Remember the links

Keep the links of this run for the next one.
`,
  "backup-check": `---
name: backup-check
description: Finds out that a backup is broken before it is needed.
cron: 15 5 * * *
---

# Backup check

1. Find the newest backup of every source
2. Compare its age with what is allowed
3. Compare its size with the one before
4. Restore one random file and compare its checksum
5. Report every source that failed a check
`,
  "weekly-review": `---
name: weekly-review
description: Looks back on a week and forward to the next.
schedule: fridays at 4pm
---

# Weekly review

## 1. Collect the finished tasks

## 2. Collect what is still open

Note for each why it is open: waiting, too large, or not important.

## 3. Compare with last week's plan

## 4. Choose three goals for next week

Each goal has a first step that takes less than an hour.

## 5. Write the review

Finished, open, learned, next. One paragraph each.
`,
  "disk-alert": `---
name: disk-alert
description: Warns while there is still room.
schedule: every 30 minutes
---

# Disk alert

- Measure the free space of every volume
- Estimate when each volume is full at the pace of the last day
- Warn about volumes under ten percent or with less than two days left
- List the five largest files that changed today
`,
};
