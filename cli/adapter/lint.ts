/**
 * What an author should fix before publishing a plugin: rules of the definition, facts that are not stated, examples and summaries that
 * are missing, names, and input and output besides the host's services.
 */
import { itemsOf, settingFactsOf } from "../../adapters/definition/catalog-entry.ts";
import { definitionIssues } from "../../adapters/definition/check-definition.ts";
import { type AdapterDefinition, z } from "../../adapters/definition/define.ts";
import { completed } from "../../adapters/plugins/complete.ts";
import { builtinAdapters } from "../../compiler/catalog/builtin.ts";
import { visible } from "../output/terminal/columns.ts";
import { counted } from "../output/terminal/table.ts";
import { EXIT } from "../session/faults.ts";
import type { Session } from "../session/session.ts";
import { type SourceFinding, sourceFindings } from "./direct-io.ts";
import { pluginFile, writtenDefinition } from "./plugin.ts";

type LintFinding = {
  readonly severity: "error" | "warning";
  readonly rule: "definition" | "missing-fact" | "example" | "name" | "meaning" | "setting" | "direct-io" | "impure";
  /** A JSON pointer into the definition, or file and line. */
  readonly place: string;
  readonly message: string;
};

export async function lintPlugin(session: Session, given: string, allowDirectIo: boolean): Promise<number> {
  const { screen } = session;
  const module = pluginFile(session.cwd, given);
  const findings = lintFindings(
    await writtenDefinition(session.cwd, module, given),
    sourceFindings(module),
    allowDirectIo,
  );
  const errors = findings.filter(({ severity }) => severity === "error").length;
  if (screen.json) screen.document({ ok: errors === 0, findings });
  else {
    for (const { severity, rule, place, message } of findings) {
      const word = severity === "error" ? screen.paint.error(severity) : screen.paint.warning(severity);
      screen.out(`${visible(place)} ${word} ${rule}  ${visible(message)}\n`);
    }
    screen.note(`${counted(errors, "error")}, ${counted(findings.length - errors, "warning")}`);
  }
  return errors === 0 ? EXIT.success : EXIT.failed;
}

/** `value`: what the module exports, `sources`: what its files do. */
function lintFindings(
  value: unknown,
  sources: readonly SourceFinding[],
  allowDirectIo: boolean,
): readonly LintFinding[] {
  const { definition, assumed } = completed(value);
  const facts = assumed.map((place) => error("missing-fact", place, "is not stated, so the worst is assumed"));
  const issues = definitionIssues(definition).map(({ path, message }) => error("definition", path, message));
  // The other rules read what the shape promises.
  const own = issues.length > 0 ? [] : [...definitionFindings(definition as AdapterDefinition)];
  const notes = issues.length > 0 ? undefined : (definition as AdapterDefinition).notes;
  return [...issues, ...facts, ...own, ...ioFindings(sources, allowDirectIo, notes)];
}

function* definitionFindings(definition: AdapterDefinition): Generator<LintFinding> {
  const { name, version, maturity, settings, verbs } = definition;
  if (builtinAdapters.some((one) => one.name === name))
    yield error("name", "/name", `${name} is the name of a built-in adapter`);
  if (maturity === "stable" && version.startsWith("0."))
    yield warning("meaning", "/maturity", "is stable, but the version begins with 0");
  for (const [setting, schema] of Object.entries(settings)) yield* settingFindings(setting, schema);
  for (const [word, { args, forms = [], options, examples = [] }] of Object.entries(verbs)) {
    const place = `/verbs/${word}`;
    if (!SNAKE.test(word)) yield warning("name", place, "is not written in lower case with _");
    if (examples.length === 0) yield error("example", place, "has no example");
    for (const form of [args, ...forms])
      for (const one of itemsOf(form)) {
        const param = String(one.meta()?.["param"]);
        if (!SNAKE.test(param)) yield warning("name", `${place}/args`, `${param} is not written in lower case with _`);
        else if (/^arg\d+$/.test(param))
          yield warning("name", `${place}/args`, `${param} says nothing; name it with arg`);
      }
    for (const [option, schema] of Object.entries(options?.shape ?? {})) {
      if (!SNAKE.test(option))
        yield warning("name", `${place}/options/${option}`, "is not written in lower case with _");
      if (schema instanceof z.ZodType && !schema.safeParse(undefined).success)
        yield error("definition", `${place}/options/${option}`, "is an option, so it has a default or is optional");
    }
  }
}

const SNAKE = /^[a-z][a-z0-9_]*$/;
/** What only the operator should say. */
const PLACES = /(^|_)(url|uri|host|endpoint|command|argv|path|file|dir|folder|token|password|secret)$/;

function* settingFindings(name: string, schema: z.ZodType): Generator<LintFinding> {
  const place = `/settings/${name}`;
  const { merge } = settingFactsOf(schema);
  if (schema.description === undefined) yield warning("meaning", place, "says nothing of itself; add .describe(…)");
  if (PLACES.test(name) && merge !== "server" && merge !== "within")
    yield error("setting", place, "names a place or a credential, so it is the operator's: setting.operator(…)");
}

function ioFindings(
  sources: readonly SourceFinding[],
  allowed: boolean,
  notes: string | undefined,
): readonly LintFinding[] {
  const shown = sources.map(({ file, line, kind, message }) => {
    const make = kind === "direct-io" ? error : warning;
    return make(kind, `${file}:${line}`, message);
  });
  if (!allowed) return shown;
  const direct = shown.some(({ rule }) => rule === "direct-io");
  const rest = shown.filter(({ rule }) => rule !== "direct-io");
  if (!direct || notes !== undefined) return rest;
  return [...rest, error("direct-io", "/notes", "is missing: it says why the plugin does not use the host's services")];
}

function error(rule: LintFinding["rule"], place: string, message: string): LintFinding {
  return { severity: "error", rule, place, message };
}

function warning(rule: LintFinding["rule"], place: string, message: string): LintFinding {
  return { severity: "warning", rule, place, message };
}
