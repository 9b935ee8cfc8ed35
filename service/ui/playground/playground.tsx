/** A place to write a program and see what it would do. Nothing is sent before *Run* is pressed. */
import { useEffect, useRef, useState } from "preact/hooks";
import { get, type Json, Refused, send } from "../api.ts";
import type { ProgramVersion, RunResult } from "../data.ts";
import { GraphList } from "../parts/graph-list.tsx";
import { Meters } from "../parts/meters.tsx";
import { Value } from "../parts/value.tsx";
import { place } from "../router.ts";
import { RULES } from "../rules.ts";
import { bytecodeOf, type Compiled, compiled, drawn, formatted, reported } from "./compiler.ts";
import { type Editor, openEditor } from "./editor.ts";
import { EXAMPLES } from "./examples.ts";
import { Findings } from "./findings.tsx";
import { ReportView } from "./report.tsx";
import { Stepper, type TraceStep } from "./stepper.tsx";

const PAUSE_MS = 150;
const TABS = ["Findings", "Graph", "Report", "Bytecode", "Result", "Steps"] as const;
type Tab = (typeof TABS)[number];
type Outcome = RunResult & { readonly trace?: readonly TraceStep[] };

export function PlaygroundPage() {
  const box = useRef<HTMLDivElement>(null);
  const editor = useRef<Editor | null>(null);
  const [text, setText] = useState(EXAMPLES[0]?.code ?? "");
  const [frame, setFrame] = useState(EXAMPLES[0]?.frame ?? "{}");
  const [program, setProgram] = useState<Compiled | null>(null);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [tab, setTab] = useState<Tab>("Findings");

  useEffect(() => {
    if (box.current === null) return;
    const opened = openEditor(box.current, text, setText);
    editor.current = opened;
    void deployed().then((code) => code !== null && opened.replace(code));
    return () => opened.close();
  }, []);

  useEffect(() => {
    const ended = new AbortController();
    const timer = setTimeout(() => {
      compiled(text, inputsOf(frame), ended.signal).then(
        (fresh) => {
          setProgram(fresh);
          editor.current?.mark(fresh.diagnostics);
        },
        () => {},
      );
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      ended.abort();
    };
  }, [text, frame]);

  const run = async () => {
    setProblem(null);
    try {
      const body = { code: text, frame: JSON.parse(frame), trace: true };
      setOutcome(await send<Outcome>("POST", "/run", body));
      setTab("Result");
    } catch (cause) {
      setProblem(cause instanceof Refused ? cause.message : "the frame is not valid JSON");
    }
  };
  const open = (code: string, variables: string) => {
    editor.current?.replace(code);
    setFrame(variables);
  };
  return (
    <>
      <h1>Playground</h1>
      <p class="actions">
        <label>
          Start from
          <select
            onChange={(event) => {
              const chosen = EXAMPLES[Number(event.currentTarget.value)];
              if (chosen !== undefined) open(chosen.code, chosen.frame);
            }}
          >
            {EXAMPLES.map(({ title }, at) => (
              <option key={title} value={at}>
                {title}
              </option>
            ))}
          </select>
        </label>
        <button type="button" onClick={() => editor.current?.replace(formatted(text))}>
          Format
        </button>
        <SaveButton text={text} />
        {RULES.act ? (
          <button type="button" onClick={run}>
            Run
          </button>
        ) : (
          <span class="quiet">Running needs WF_UI=act.</span>
        )}
      </p>
      {problem === null ? null : (
        <p class="notice bad" role="alert">
          {problem}
        </p>
      )}
      <div class="playground">
        <div>
          <div class="editor" ref={box} />
          <label>
            Variables, as JSON
            <textarea
              rows={4}
              spellcheck={false}
              value={frame}
              onInput={(event) => setFrame(event.currentTarget.value)}
            />
          </label>
        </div>
        <div>
          <div role="tablist" aria-label="What the program is">
            {TABS.map((name) => (
              <button
                key={name}
                type="button"
                role="tab"
                id={`tab-${name}`}
                aria-controls="view"
                aria-selected={name === tab}
                onClick={() => setTab(name)}
              >
                {name}
              </button>
            ))}
          </div>
          <div role="tabpanel" id="view" aria-labelledby={`tab-${tab}`} tabIndex={0}>
            <View tab={tab} program={program} outcome={outcome} editor={editor.current} />
          </div>
        </div>
      </div>
    </>
  );
}

type ViewOf = {
  readonly tab: Tab;
  readonly program: Compiled | null;
  readonly outcome: Outcome | null;
  readonly editor: Editor | null;
};

function View({ tab, program, outcome, editor }: ViewOf) {
  if (tab === "Result" || tab === "Steps") {
    if (outcome === null) return <p class="quiet">It has not run yet.</p>;
    if (tab === "Steps") return <Stepper trace={outcome.trace ?? []} showLine={(line) => editor?.showLine(line)} />;
    return (
      <>
        {outcome.ok ? <Value value={outcome.out} /> : <p class="notice bad">{outcome.message}</p>}
        <Meters usage={outcome.usage} limits={outcome.limits} />
      </>
    );
  }
  if (program === null) return <p class="quiet">compiling</p>;
  if (tab === "Findings")
    return (
      <Findings
        diagnostics={program.diagnostics}
        show={(line) => editor?.showLine(line)}
        apply={(fix) => editor?.apply(fix)}
      />
    );
  if (program.ir === null) return <p class="quiet">The program has errors; see its findings.</p>;
  if (tab === "Graph") return <GraphList {...drawn(program.ir)} />;
  if (tab === "Report") return <ReportView report={reported(program.ir)} />;
  return <pre class="value">{bytecodeOf(program.ir)}</pre>;
}

/** Names that the frame has; none while it is not JSON. */
function inputsOf(frame: string): readonly string[] {
  try {
    const read: Json = JSON.parse(frame);
    return typeof read === "object" && read !== null && !Array.isArray(read) ? Object.keys(read) : [];
  } catch {
    return [];
  }
}

/** The version of a program that the address names. */
async function deployed(): Promise<string | null> {
  const { query } = place.value;
  const [name, version] = [query.get("program"), query.get("version")];
  if (name === null || version === null) return null;
  const path = `/programs/${encodeURIComponent(name)}/versions/${encodeURIComponent(version)}`;
  return get<ProgramVersion>(path).then(
    ({ code }) => code ?? null,
    () => null,
  );
}

function SaveButton({ text }: { readonly text: string }) {
  const save = () => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
    link.download = "program.wf";
    link.click();
    URL.revokeObjectURL(link.href);
  };
  return (
    <button type="button" onClick={save}>
      Save as a file
    </button>
  );
}
