/** What one version of a program differs in from another: what it newly reaches first. The compiler of the page compares them. */
import { useState } from "preact/hooks";
import { calledText } from "../../../../compiler/diagram/host-words.ts";
import type { FunctionChange, SourcedProgram } from "../../../../compiler/diff/line-changes.ts";
import type { Ir } from "../../../../compiler/ir/graph.ts";
import { shownLabel } from "../../../../grammar/text/written-label.ts";
import type { ListedVersion, ProgramVersion } from "../../data.ts";
import { useData } from "../../loading.ts";
import { FaultNotice } from "../../parts/fault.tsx";
import type { Difference } from "../../playground/compiler.ts";
import { counted, number } from "../../words.ts";
import { useWork } from "../../work.ts";
import { Line, type Pair, Sides } from "./sides.tsx";

/** Steps of two programs together that are compared without being asked: it takes the page long. */
const MAX_STEPS = 10_000;
/** Labels whose changes are shown at once. */
const MAX_LABELS = 200;

type DifferenceOf = {
  /** Address of the program. */
  readonly base: string;
  readonly shown: ProgramVersion;
  readonly versions: readonly ListedVersion[];
};

export function VersionDifference({ base, shown, versions }: DifferenceOf) {
  const others = versions.filter(({ version }) => version !== shown.version);
  const earlier = others.find(({ version }) => version < shown.version) ?? others[0];
  const [chosen, choose] = useState<number | null>(null);
  const [wanted, want] = useState<ProgramVersion | null>(null);
  const from = chosen ?? earlier?.version ?? null;
  const { data: before, fault } = useData<ProgramVersion>(from === null ? null : `${base}/versions/${from}`, null);
  const steps = before === null ? 0 : stepsOf(before) + stepsOf(shown);
  const isWanted = steps <= MAX_STEPS || wanted === before;
  const { result: difference, isDone } = useWork<Difference>(
    before === null || !isWanted ? null : (signal) => compared(before, shown, signal),
    [before, isWanted, shown],
  );
  if (from === null) return null;
  return (
    <section aria-label="Difference">
      <h2>What version {shown.version} changed</h2>
      <label>
        Compared with version
        <select value={from} onChange={(event) => choose(Number(event.currentTarget.value))}>
          {others.map(({ version }) => (
            <option key={version} value={version}>
              {version}
            </option>
          ))}
        </select>
      </label>
      <FaultNotice fault={fault} />
      {isWanted ? null : (
        <p class="actions">
          <button type="button" onClick={() => want(before)}>
            Compare {number(steps)} steps
          </button>
        </p>
      )}
      {isDone && difference !== null ? <Changes difference={difference} /> : null}
      {isDone && difference === null ? <p class="quiet">They could not be compared: load the page again.</p> : null}
      {!isDone && isWanted && fault === null ? (
        <p class="quiet" role="status">
          comparing …
        </p>
      ) : null}
    </section>
  );
}

async function compared(before: ProgramVersion, after: ProgramVersion, signal: AbortSignal): Promise<Difference> {
  const { differenceOf } = await import("../../playground/compiler.ts");
  return differenceOf(sourced(before), sourced(after), signal);
}

/** A version has the IR that its service made. */
const irOf = ({ ir }: ProgramVersion): Ir => ir as unknown as Ir;
const sourced = (version: ProgramVersion): SourcedProgram => {
  const { code, files = {}, main = "" } = version;
  return { ir: irOf(version), textOf: (file) => (file === null ? (code ?? files[main]) : files[file]) ?? null };
};
const stepsOf = (version: ProgramVersion): number => irOf(version).nodes.length;

function Changes({
  difference: { same, powers, entry, labels, endpoints, declarations, functions },
}: {
  difference: Difference;
}) {
  if (same) return <p>Both do the same.</p>;
  const nameOf = functions === null ? labelText : (id: string | null) => id ?? "nowhere";
  const left = powers.filter(({ change }) => change === "removed");
  return (
    <>
      <Reached title="Newly reached" powers={powers.filter(({ change }) => change === "added")} nameOf={nameOf} />
      {left.length === 0 ? null : <Reached title="No more reached" powers={left} nameOf={nameOf} />}
      <h3>Program</h3>
      <ul class="changes">
        {entry === null ? null : (
          <li>
            it begins at {nameOf(entry.after)} instead of {nameOf(entry.before)}
          </li>
        )}
        {[...endpoints, ...declarations].map(({ change, text }) => (
          <Line key={`${change} ${text}`} kind={change === "added" ? "added" : "bad"} text={text} />
        ))}
        {functions?.slice(0, MAX_LABELS).map((each) => (
          <ChangedFunction key={each.name} of={each} />
        ))}
        {(functions === null ? labels : []).slice(0, MAX_LABELS).map((label) => (
          <li key={label.label}>
            {shownLabel(label.label)}
            {label.change === "changed" ? null : ` ${label.change}, ${number(label.steps)} steps`}
            {label.change !== "changed" ? null : (
              <>
                <Sides pairs={label.steps.map(pairOf)} />
                {label.ways.map(({ node, port, before, after }) => (
                  <p key={`${node} ${port}`}>
                    {port} of {node} leads to {labelText(after)} instead of {labelText(before)}
                  </p>
                ))}
              </>
            )}
          </li>
        ))}
      </ul>
      {labels.length > MAX_LABELS ? (
        <p class="quiet">
          {number(labels.length - MAX_LABELS)} more labels differ; <code>wf diff</code> lists all.
        </p>
      ) : null}
    </>
  );
}

type ReachedOf = {
  readonly title: string;
  readonly powers: Difference["powers"];
  readonly nameOf: (label: string) => string;
};

function Reached({ title, powers, nameOf }: ReachedOf) {
  return (
    <>
      <h3>{title}</h3>
      {powers.length === 0 ? <p class="quiet">nothing</p> : null}
      <ul>
        {powers.map(({ change, kind, value, steps: [step] }) => (
          <li key={`${kind} ${value}`} class={change === "added" ? "bad" : undefined}>
            {kind} <strong>{value}</strong>
            {step === undefined ? "" : `, by ${calledText(step.call)} in ${nameOf(step.label)}`}
          </li>
        ))}
      </ul>
    </>
  );
}

function ChangedFunction({ of }: { readonly of: FunctionChange }) {
  if (of.change !== "changed")
    return (
      <li>
        <code>{of.name}</code> {of.change}, {counted(of.lines, "line")}
      </li>
    );
  return (
    <li>
      <code>{of.name}</code>
      {of.lines === null || of.lines.length === 0 ? " changed" : null}
      <Sides pairs={(of.lines ?? []).map(pairOf)} />
    </li>
  );
}

type Texts = { readonly before?: { readonly text: string }; readonly after?: { readonly text: string } };

const pairOf = ({ before, after }: Texts): Pair => ({ before: before?.text ?? null, after: after?.text ?? null });

/** A node keeps its id; null: nowhere. */
const labelText = (id: string | null): string => (id === null ? "nowhere" : /^n[0-9]+$/.test(id) ? id : shownLabel(id));
