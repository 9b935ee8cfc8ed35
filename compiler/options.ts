/** What a host tells the compiler, and what it gets back. */
import type { Diagnostic } from "../grammar/diagnostic.ts";
import type { Span } from "../grammar/text/span.ts";
import type { AdapterCatalog } from "./catalog.ts";
import type { Ir } from "./ir/graph.ts";

/** Result of reading an included file. The host confines the reader; the compiler only asks. */
export type IncludeResult =
  | {
      readonly ok: true /** Stable identity of the file, for cycles. */;
      readonly identity: string;
      readonly text: string;
    }
  | {
      readonly ok: false;
      readonly reason: "not_found" | "outside_root" | "too_large" | "unreadable";
      readonly searched: number;
    };

/** Where included files, and Python files that a program imports, come from. */
export type IncludeReader = {
  /** All that it can read, where that is at hand: another thread can read it, too. `main`: the file that is compiled. */
  readonly all?: { readonly files: Readonly<Record<string, string>>; readonly main: string };
  /**
   * `path` as written; `from` is the identity of the including file, null for the main one. A Python file is asked for by its path from the folder of the
   * program (`lib/mail.py`, null) and must be looked for nowhere else.
   */
  read(path: string, from: string | null): IncludeResult;
  /** Names of the Python files and of the folders in a folder, which is given by its path from that of the program; "" is that one. Only messages and folders without code need it. */
  namesIn?(folder: string): readonly string[];
};

/** How a program is compiled. */
export type CompileOptions = {
  /** Default true. */
  readonly strict?: boolean;
  readonly catalog: AdapterCatalog;
  /** Names of the initial frame: they count as declared inputs. */
  readonly inputs?: readonly string[];
  /** Absent: include lines are refused (WF3017). */
  readonly includes?: IncludeReader | undefined;
  /** Adapters outside this list give WF5008. null or absent: no restriction. */
  readonly allowed_adapters?: readonly string[] | null;
  /** In a program with endpoints a label that nothing reaches (WF9014) is an error, in loose mode a warning. Default: a hint. */
  readonly reachability?: boolean;
  /** Also hints at what means something else than in the predecessor. Default false. */
  readonly compat_notes?: boolean;
  /**
   * Also gives the advice of `wf lint`: hints of inputs overwritten unread and of calls that nothing handles, and in loose mode of unused
   * labels and of retries that may repeat an effect, too. Default false.
   */
  readonly advice?: boolean;
  /** Seconds that a job of the program lives: waits that are written as longer give WF9044. Absent: they are not looked at. */
  readonly lifetime_s?: number;
};

/** The options of `compile`. Without a catalog it is that of the built-in adapters. */
export type CompileRequest = Omit<CompileOptions, "catalog"> & Partial<Pick<CompileOptions, "catalog">>;

export type UndeclaredRead = {
  readonly name: string;
  readonly label_id: string;
  readonly node_id: string;
  readonly span: Span;
};

/** What came of a program. */
export type CompileResult = {
  /** No diagnostic of severity error. */
  readonly ok: boolean;
  /** null when not ok. */
  readonly ir: Ir | null;
  readonly diagnostics: readonly Diagnostic[];
  /** Reads that only the caller's frame could satisfy; the check is applied per request when inputs were not given. */
  readonly undeclared_reads: readonly UndeclaredRead[];
};
