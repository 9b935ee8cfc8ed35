/**
 * Templates of public collections, fetched when they are asked for. Each collection is pinned to a commit, so that a slug gives the
 * same document always.
 */
const WORKFLOWS =
  "https://raw.githubusercontent.com/nikilster/clawflows/f1e4094752b0359c7a3089720457a536a4ae2813/workflows/available/community";
const AGENTS = "https://raw.githubusercontent.com/msitarzewski/agency-agents/783f6a72bfd7f3135700ac273c619d92821b419a";

/** Address by slug. */
export const PUBLIC_WORKFLOWS: Readonly<Record<string, string>> = Object.fromEntries(
  ["check-calendar", "morning-journal", "prep-tomorrow", "plan-week", "check-email"].map((slug) => [
    slug,
    `${WORKFLOWS}/${slug}/WORKFLOW.md`,
  ]),
);

/** Address by slug. */
export const PUBLIC_AGENTS: Readonly<Record<string, string>> = {
  "mcp-builder": `${AGENTS}/specialized/specialized-mcp-builder.md`,
  "agents-orchestrator": `${AGENTS}/specialized/agents-orchestrator.md`,
  "engineering-frontend-developer": `${AGENTS}/engineering/engineering-frontend-developer.md`,
  "specialized-workflow-architect": `${AGENTS}/specialized/specialized-workflow-architect.md`,
  "accounts-payable-agent": `${AGENTS}/specialized/accounts-payable-agent.md`,
};
