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
