/** What can be done with the program of the playground. */

import { Button } from "../../look/button.tsx";
import { RULES } from "../../rules.ts";
import { saveFile } from "../../save.ts";
import { EXAMPLES, type Example } from "./examples.ts";

type ToolbarOf = {
  readonly text: string;
  readonly start: (example: Example) => void;
  readonly open: (file: File) => void;
  readonly format: () => void;
  readonly link: () => void;
  readonly run: () => void;
};

export function Toolbar({ text, start, open, format, link, run }: ToolbarOf) {
  return (
    <div class="actions toolbar">
      <label>
        Start from
        <select
          onChange={(event) => {
            const chosen = EXAMPLES[Number(event.currentTarget.value)];
            if (chosen !== undefined) start(chosen);
          }}
        >
          <Choices label="Runs as it is" runs />
          <Choices label="Calls something outside" runs={false} />
        </select>
      </label>
      <label class="file">
        <span class="button">Open a file</span>
        <input
          type="file"
          aria-label="Open a program, record or journal"
          accept=".wf,.py,.txt,.json"
          onChange={({ currentTarget: field }) => {
            const file = field.files?.[0];
            if (file !== undefined) open(file);
            // The same file may be opened again.
            field.value = "";
          }}
        />
      </label>
      <Button onClick={format}>Format</Button>
      <Button onClick={() => saveFile("program.wf", text, "text/plain")}>Save as a file</Button>
      <Button onClick={link}>Copy a link</Button>
      {RULES.act ? (
        <Button kind="primary" onClick={run}>
          Run
        </Button>
      ) : (
        <span class="quiet">Running needs WF_UI=act.</span>
      )}
    </div>
  );
}

function Choices({ label, runs }: { readonly label: string; readonly runs: boolean }) {
  return (
    <optgroup label={label}>
      {EXAMPLES.map((example, at) =>
        example.runs === runs ? (
          <option key={example.title} value={at}>
            {example.title}
          </option>
        ) : null,
      )}
    </optgroup>
  );
}
