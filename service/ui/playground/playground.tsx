/** A place to write a program and see what it would do. Nothing is sent before *Run* is pressed or the graph is looked at. */
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Fix } from "../../../grammar/diagnostic.ts";
import { Refused, send } from "../api.ts";
import type { RunResult } from "../data.ts";
import { Tabs } from "../look/tabs.tsx";
import { FrameFields, frameIn } from "../parts/frame-form.tsx";
import { useLiveDrawing } from "../parts/graph/drawing.ts";
import { counted } from "../words.ts";
import { type Compiled, compiled, formatted } from "./compiler.ts";
import { type Editor, KEYS, openEditor } from "./editor/editor.ts";
import { LineProblem, problemOn } from "./editor/line-problem.tsx";
import { Limits, limitsOf, NO_LIMITS } from "./limits.tsx";
import { runLines } from "./run-lines.ts";
import { begunByLink, deployedProgram, inputOfJob } from "./start/begins.ts";
import { EXAMPLES } from "./start/examples.ts";
import { copyLink } from "./start/link-copy.ts";
import { openedFile } from "./start/opened-file.ts";
import { Toolbar } from "./start/toolbar.tsx";
import { lineOf } from "./stepper.tsx";
import type { TraceStep } from "./trace-step.ts";
import { type RunView, TABS, type Tab, View } from "./view.tsx";

const PAUSE_MS = 150;
type Outcome = RunResult & { readonly trace?: readonly object[] };

export function PlaygroundPage() {
  const box = useRef<HTMLDivElement>(null);
  const editor = useRef<Editor | null>(null);
  const [text, setText] = useState(EXAMPLES[0]?.code ?? "");
  const [frame, setFrame] = useState(() => written(EXAMPLES[0]?.frame ?? {}));
  const [limits, setLimits] = useState(NO_LIMITS);
  const [program, setProgram] = useState<Compiled | null>(null);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const [run, setRun] = useState<RunView | null>(null);
  const [isCollapsed, collapse] = useState(false);
  const [isMachine, showMachine] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const [note, setNote] = useState<string | null>(null);
  const [tab, setTab] = useState<Tab>("Findings");
  const [line, setLine] = useState(1);
  const found = useRef<Compiled | null>(null);
  found.current = program;
  /** The places of a fix are those of the text that was compiled. */
  const apply = (fix: Fix | null | undefined) => {
    if (fix != null && editor.current?.text() === found.current?.source) editor.current?.apply(fix);
  };
  const fixLine = (of: number) => apply(problemOn(of, found.current?.diagnostics ?? [])?.fix);

  useEffect(() => {
    if (box.current === null) return;
    const opened = openEditor(box.current, text, { changed: setText, moved: setLine, fix: fixLine });
    editor.current = opened;
    const follow = () => {
      const begun = begunByLink();
      if (begun.code !== null) opened.replace(begun.code);
      setNote(begun.note);
      setProblem(begun.problem);
      return begun.code !== null;
    };
    if (!follow()) void deployedProgram().then((code) => code !== null && opened.replace(code));
    void inputOfJob().then((given) => given !== null && setFrame(written(given)));
    addEventListener("hashchange", follow);
    return () => {
      removeEventListener("hashchange", follow);
      opened.close();
    };
  }, []);

  useEffect(() => {
    const ended = new AbortController();
    const timer = setTimeout(() => {
      compiled(text, Object.keys(frameIn(frame) ?? {}), ended.signal).then(
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

  const attempt = async (act: () => Promise<void>) => {
    setProblem(null);
    setNote(null);
    await act().catch((cause: unknown) => setProblem(cause instanceof Refused ? cause.message : String(cause)));
  };
  const start = () =>
    attempt(async () => {
      const variables = frameIn(frame);
      if (variables === null) throw new Refused(0, { message: "the variables are not an object of JSON" });
      const body = {
        code: text,
        frame: variables,
        trace: true,
        trace_options: { variables: true },
        ...limitsOf(limits),
      };
      const ran = program?.source === text ? program : null;
      const came = await send<Outcome>("POST", "/run", body);
      setOutcome(came);
      setRun({ steps: (came.trace ?? []).filter(isStep), at: 0, isSent: true, program: ran });
      setTab("Result");
    });
  const open = (file: File) =>
    attempt(async () => {
      const opened = await openedFile(file);
      if (opened.kind === "unreadable") throw new Refused(0, { message: opened.why });
      if (opened.kind === "program") return editor.current?.replace(opened.code);
      if (opened.code !== null) editor.current?.replace(opened.code);
      setRun({ steps: opened.steps, at: 0, isSent: false, program: null });
      setTab("Steps");
      const dropped = opened.dropped === 0 ? "" : `; ${droppedText(opened.dropped)} left out`;
      const missing = opened.code === null ? "; its program is not in it" : "";
      setNote(`This is ${opened.what} with ${counted(opened.steps.length, "step")}${dropped}${missing}.`);
    });
  const stepped = run?.program ?? program;
  const lines = useMemo(() => runLines(run?.steps ?? [], stepped?.ir ?? null), [run?.steps, stepped?.ir]);
  const move = (to: number) => {
    if (run === null) return;
    const at = Math.max(0, Math.min(to, lines.length - 1));
    setRun({ ...run, at });
    const step = run.steps[lines[at]?.at ?? -1];
    const line = step === undefined ? null : lineOf(step, stepped?.ir ?? null);
    if (line !== null) editor.current?.showLine(line);
  };
  const isDrawn = tab === "Graph" || (tab === "Steps" && run?.isSent === true);
  const drawing = useLiveDrawing(
    program === null || program.ir === null ? null : program.source,
    isCollapsed && tab === "Graph" ? "labels" : isMachine ? "steps" : "source",
    isDrawn && program !== null,
  );
  return (
    <>
      <h1>Playground</h1>
      <Toolbar
        text={text}
        start={({ code, frame: variables }) => {
          editor.current?.replace(code);
          setFrame(written(variables));
          // A run of another program says nothing about this one.
          setOutcome(null);
          setRun(null);
        }}
        open={open}
        format={() => attempt(async () => editor.current?.replace(await formatted(text)))}
        link={() => attempt(() => copyLink(text))}
        run={start}
      />
      {problem === null ? null : (
        <p class="notice bad" role="alert">
          {problem}
        </p>
      )}
      {note === null ? null : (
        <p class="notice" role="status">
          {note}
        </p>
      )}
      <div class="playground">
        <div>
          <div class="editor" ref={box} />
          <LineProblem
            problem={program === null || program.source !== text ? null : problemOn(line, program.diagnostics)}
            fix={() => fixLine(line)}
          />
          <p class="quiet small">{KEYS}</p>
          <FrameFields inputs={program?.inputs ?? []} text={frame} set={setFrame} />
          <Limits limits={limits} set={setLimits} />
        </div>
        <div>
          <Tabs label="What the program is" names={TABS} chosen={tab} choose={setTab}>
            <View
              tab={tab}
              text={text}
              program={program}
              outcome={outcome}
              run={run}
              lines={lines}
              move={move}
              drawing={drawing}
              isCollapsed={isCollapsed}
              collapse={collapse}
              machine={drawing.layout?.isPython === true ? { isShown: isMachine, show: showMachine } : null}
              apply={apply}
              showLine={(at) => editor.current?.showLine(at)}
            />
          </Tabs>
        </div>
      </div>
    </>
  );
}

const written = (frame: object): string => JSON.stringify(frame, null, 2);

const droppedText = (count: number): string => `${counted(count, "entry", "entries")} ${count === 1 ? "was" : "were"}`;

const isStep = (event: object): event is TraceStep =>
  "kind" in event && (event.kind === "step" || event.kind === "error");
