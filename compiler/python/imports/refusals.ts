/**
 * What is refused where a program has several files, and what is said of members that a module lacks. The page of the console, whose programs are one
 * file, leaves it out (`scripts/console-plugins.mjs`).
 */
import { type RefusalRow, row } from "../refusal-row.ts";

export const OF_FILES: Readonly<Record<string, RefusalRow>> = {
  unknown_member_near: row("WF6002", "{module} has no member '{name}'", "did you mean '{near}'?"),
  member_instead: row("WF6002", "{module} has no member '{name}'", "{instead}"),
  import_missing: row("WF6003", "the module '{module}' does not exist here", "there are {names}"),
  import_missing_near: row("WF6003", "the module '{module}' does not exist here", "did you mean '{near}'?"),
  import_hides: row(
    "WF6003",
    "'import {module}' could mean {path} or the module of Python, which has the same name",
    "give the file another name",
  ),
  import_unreadable: row("WF6003", "{path} cannot be imported: {reason}"),
  import_too_many: row("WF6003", "a program imports at most {files} files, 8 MB in all, {levels} deep"),
  import_circle: row("WF6006", "'{module}' imports itself: {circle}", "move what both files need into a third one"),
  import_no_name: row("WF6002", "{module} has no member '{name}'", "it has {names}"),
  import_uncertain: row(
    "WF6002",
    "{module} may not have set '{name}' when it has run",
    "set it at the top of that file, on every way, and never delete it",
  ),
  import_two_meanings: row("WF6002", "'{name}' of {module} is a variable and a file", "give one of them another name"),
  import_write: row("WF6025", "'{name}' of another file cannot be set", "write a function in that file which sets it"),
};
