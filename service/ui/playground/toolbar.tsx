/** What can be done with the program of the playground. */

import { Button } from "../look/button.tsx";
import { RULES } from "../rules.ts";
import { saveFile } from "../save.ts";
import { EXAMPLES, type Example } from "./examples.ts";

type ToolbarOf = {
  readonly text: string;
  readonly start: (example: Example) => void;
  readonly open: (file: File) => void;
  readonly format: () => void;
  readonly run: () => void;
};

export function Toolbar({ text, start, open, format, run }: ToolbarOf) {
  return (
    <p class="actions">
      <label>
        Start from
        <select
          onChange={(event) => {
            const chosen = EXAMPLES[Number(event.currentTarget.value)];
            if (chosen !== undefined) start(chosen);
          }}
        >
          {EXAMPLES.map(({ title }, at) => (
            <option key={title} value={at}>
              {title}
            </option>
          ))}
        </select>
      </label>
      <label>
        Open a program, record or journal
        <input
          type="file"
          accept=".wf,.txt,.json"
          onChange={({ currentTarget: field }) => {
            const file = field.files?.[0];
            if (file !== undefined) open(file);
            // The same file may be opened again.
            field.value = "";
          }}
        />
      </label>
      <button type="button" onClick={format}>
        Format
      </button>
      <button type="button" onClick={() => saveFile("program.wf", text, "text/plain")}>
        Save as a file
      </button>
      {RULES.act ? (
        <Button kind="primary" onClick={run}>
          Run
        </Button>
      ) : (
        <span class="quiet">Running needs WF_UI=act.</span>
      )}
    </p>
  );
}
