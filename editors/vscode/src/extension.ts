/**
 * The extension: starts `wf lsp` for open programs and runs a program in a terminal when asked. What the language is, the server
 * knows; what is started, `invocation.ts`.
 */
import { commands, EventEmitter, type ExtensionContext, type Terminal, Uri, window, workspace } from "vscode";
import { LanguageClient } from "vscode-languageclient/node";
import { type Invocation, invocationOf, type RunRequest, runArguments, runRequest } from "./invocation.ts";
import { type RunningProcess, startProcess } from "./process-terminal.ts";

const CONTROL_C = "\u0003";

let client: LanguageClient | null = null;
/** Starts and stops follow each other, also when settings change quickly. */
let settled: Promise<void> = Promise.resolve();
/** The terminal of the last run that is over. */
let finished: Terminal | null = null;

export function activate(context: ExtensionContext): void {
  context.subscriptions.push(
    commands.registerCommand("weft.run", (...args: unknown[]) => run(args)),
    commands.registerCommand("weft.restart", () => restart(context)),
    workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration("weft.path")) void restart(context);
    }),
    workspace.onDidGrantWorkspaceTrust(() => void restart(context)),
  );
  void restart(context);
}

export function deactivate(): Promise<void> {
  settled = settled.then(stop);
  return settled;
}

function restart(context: ExtensionContext): Promise<void> {
  settled = settled.then(stop).then(() => start(context));
  return settled;
}

async function stop(): Promise<void> {
  const running = client;
  client = null;
  // A server that has crashed cannot be stopped again.
  await running?.dispose().catch(() => {});
}

async function start(context: ExtensionContext): Promise<void> {
  // An untrusted workspace must not choose the program: some systems look for one in the current folder first.
  const base = workspace.isTrusted ? folder() : context.extensionPath;
  const { command, args } = invocationOf(path(), ["lsp", "--stdio"], base);
  const server = { command, args: [...args], ...(base === null ? {} : { options: { cwd: base } }) };
  client = new LanguageClient("weft", "Weft", server, {
    documentSelector: [
      { scheme: "file", language: "weft" },
      { scheme: "untitled", language: "weft" },
    ],
  });
  try {
    await client.start();
  } catch {
    offerSettings(command);
  }
}

/** The client has reported why it cannot start; this offers a way out. The answer is not awaited, because it may never come. */
function offerSettings(command: string): void {
  void window
    .showErrorMessage(`Weft: the language server '${command}' could not be started. Is wf installed?`, "Open Settings")
    .then((chosen) => {
      if (chosen !== undefined) void commands.executeCommand("workbench.action.openSettings", "weft.path");
    });
}

/** `weft.run`: from a code lens with file and label, else the program in the active editor. */
async function run(args: readonly unknown[]): Promise<void> {
  const request = runRequest(args) ?? activeProgram();
  if (request === null) return void window.showInformationMessage("Weft: open a program (.wf) to run it.");
  if (!workspace.isTrusted) return void window.showWarningMessage("Weft: programs run in trusted workspaces only.");
  const uri = Uri.parse(request.uri, true);
  if (uri.scheme !== "file") return void window.showInformationMessage("Weft: save the program as a file to run it.");
  const open = workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
  if (open?.isDirty === true && !(await open.save())) return;
  const cwd = workspace.getWorkspaceFolder(uri)?.uri.fsPath ?? folder();
  const line = runArguments(uri.fsPath, request.label, argumentsOfEveryRun());
  show(request.label, invocationOf(path(), line, folder()), cwd);
}

/** A new terminal for each run; that of the last one goes when its run is over. */
function show(label: string | null, invocation: Invocation, cwd: string | null): void {
  finished?.dispose();
  finished = null;
  const written = new EventEmitter<string>();
  let running: RunningProcess | null = null;
  const terminal = window.createTerminal({
    name: label === null ? "Weft" : `Weft L${label}`,
    pty: {
      onDidWrite: written.event,
      open: () => {
        running = startProcess(invocation, cwd, (text) => written.fire(text));
        void running.ended.then(() => {
          finished?.dispose();
          finished = terminal;
        });
      },
      handleInput: (keys: string) => {
        if (keys.includes(CONTROL_C)) running?.interrupt();
      },
      close: () => {
        running?.end();
        written.dispose();
      },
    },
  });
  terminal.show(true);
}

function activeProgram(): RunRequest | null {
  const document = window.activeTextEditor?.document;
  return document?.languageId === "weft" ? { uri: document.uri.toString(), label: null } : null;
}

function folder(): string | null {
  return workspace.workspaceFolders?.[0]?.uri.fsPath ?? null;
}

// The editor does not hold users to the types that the manifest declares.

function path(): string {
  const value = workspace.getConfiguration("weft").get<unknown>("path");
  return typeof value === "string" ? value : "wf";
}

function argumentsOfEveryRun(): readonly string[] {
  const value = workspace.getConfiguration("weft").get<unknown>("runArguments");
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
}
