/**
 * The part of the platform's WebAssembly that is used here, with types: the TypeScript library has them for browsers
 * only. Shared by the thread that compiles and the threads that run.
 */

declare const brand: unique symbol;
/** A compiled module; it can be sent to another thread. */
export type WasmModule = { readonly [brand]: "module" };

export type WasmMemory = { readonly buffer: ArrayBuffer };
export type WasmFunction = (...args: readonly (number | bigint)[]) => unknown;
export type WasmInstance = { readonly exports: Readonly<Record<string, WasmFunction | WasmMemory>> };

export type ValueType = "i32" | "i64" | "f32" | "f64" | "v128" | "funcref" | "externref";
/** A function that a module offers. */
export type ModuleExport = {
  readonly name: string;
  readonly params: readonly ValueType[];
  readonly results: readonly ValueType[];
};

type WasmImports = Readonly<Record<string, Readonly<Record<string, WasmFunction>>>>;
type ErrorClass = new (message?: string) => Error;

type Platform = {
  compile(bytes: Uint8Array): Promise<WasmModule>;
  readonly Instance: new (module: WasmModule, imports: WasmImports) => WasmInstance;
  readonly RuntimeError: ErrorClass;
  readonly CompileError: ErrorClass;
};

// Every supported version of Node has it.
export const webAssembly = (globalThis as unknown as { readonly WebAssembly: Platform }).WebAssembly;
