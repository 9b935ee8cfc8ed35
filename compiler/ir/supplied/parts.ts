/**
 * The parts of a supplied program between reading and judging: both accepted shapes become one list of raw nodes and edges,
 * each with its place in the input, and leave as nodes and edges that fit each other. Shapes only.
 */
import type { AdapterCatalog } from "../../catalog.ts";
import type { Json, JsonObject } from "../../json.ts";
import type { IrEdge, NodeData, NodeOp, PyLabel } from "../graph.ts";
import type { IssueList } from "../issues.ts";

/** A value of the input with its place. */
export type RawItem = { readonly value: Json; readonly path: string };

/** A supplied program with its parts found, none of them judged. */
export type RawProgram = {
  readonly nodes: readonly RawItem[];
  readonly edges: readonly RawItem[];
  /** null: the labels are those of the nodes. */
  readonly labels: ReadonlyMap<string, RawItem> | null;
  readonly endpoints: readonly RawItem[];
  readonly declarations: readonly RawItem[];
  /** undefined: absent. */
  readonly entry: Json | undefined;
  readonly checksum: Json | undefined;
  /** The predecessor's shape, whose annotations speak another vocabulary. */
  readonly foreign: boolean;
};

export type ReadNode = {
  readonly id: string;
  readonly label: string;
  readonly op: NodeOp;
  readonly data: NodeData[NodeOp];
  readonly line: number | null;
  readonly file: string | null;
  readonly path: string;
  /** The node as given, for comparing derived members. */
  readonly given: JsonObject;
};

export type PlacedEdge = { readonly edge: IrEdge; readonly path: string };

export type ReadGraph = {
  /** In order of first appearance among the nodes, labels without nodes last. */
  readonly labels: ReadonlyMap<string, readonly ReadNode[]>;
  readonly edges: readonly IrEdge[];
  /** Of the labels that are Python functions. */
  readonly python: ReadonlyMap<string, PyLabel>;
};

export type Reading = { readonly issues: IssueList; readonly catalog: AdapterCatalog };
