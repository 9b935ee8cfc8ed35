/** `Type` of the library, which is loaded only where Arrow is read. */
export const KIND = {
  dictionary: -1,
  null: 1,
  int: 2,
  float: 3,
  utf8: 5,
  bool: 6,
  decimal: 7,
  date: 8,
  timestamp: 10,
  list: 12,
  struct: 13,
  fixedSizeList: 16,
  largeUtf8: 20,
  largeList: 21,
  utf8View: 24,
} as const;

/** A column, or a member of a struct. */
export type ArrowField = { readonly name: string; readonly type: ArrowType };

/** What is read of a type of the library, which has a class for each kind. `toString` names it for people. */
export type ArrowType = {
  readonly typeId: number;
  readonly children?: readonly ArrowField[] | null;
  readonly isSigned?: boolean;
  readonly bitWidth?: number;
  readonly precision?: number;
  readonly scale?: number;
  readonly unit?: number;
  readonly timezone?: string | null;
  readonly listSize?: number;
  /** Of a dictionary: its number, the type of what points into it, and that of its values. */
  readonly id?: number;
  readonly indices?: ArrowType;
  readonly dictionary?: ArrowType;
};
