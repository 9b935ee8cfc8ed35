/** Types of Arrow columns, as frames can hold them. */
import { damaged, unsupported } from "./faults.ts";
import { type ArrowField, type ArrowType, KIND } from "./kinds.ts";
import { scalarOf } from "./scalars.ts";

/** Throws CliFault for names that are empty or given twice, and for types that frames cannot hold. */
export function checkColumns(fields: readonly ArrowField[]): void {
  // A field without a name has none in the library either, whatever its type says.
  for (const { name } of fields)
    if (!name) throw unsupported("a column has no name", "name it as the variable of the program");
  checkFields(fields, "");
}

function checkFields(fields: readonly ArrowField[], path: string): void {
  const names = new Set<string>();
  for (const { name, type } of fields) {
    const place = `${path}${name}`;
    if (names.has(name)) throw unsupported(`two columns have the name '${place}'`, "give each a name of its own");
    names.add(name);
    checkType(type, place);
  }
}

function checkType(type: ArrowType, place: string): void {
  switch (type.typeId) {
    case KIND.null:
    case KIND.bool:
    case KIND.utf8:
    case KIND.largeUtf8:
    case KIND.utf8View:
      return;
    case KIND.dictionary:
      if (type.indices?.typeId !== KIND.int || scalarOf(type.indices) === null || type.dictionary === undefined)
        throw damaged(`the dictionary of '${place}' has indices of another type than whole numbers`);
      checkType(type.dictionary, place);
      return;
    case KIND.list:
    case KIND.largeList:
    case KIND.fixedSizeList:
      checkList(type, place);
      return;
    case KIND.struct:
      checkFields(type.children ?? [], `${place}.`);
      return;
    default:
      if (scalarOf(type) === null)
        throw unsupported(
          `column '${place}' has the type ${type}, which frames cannot hold`,
          "write it as text, numbers, booleans, dates, timestamps, lists or structs of them, or leave it out",
        );
  }
}

function checkList(type: ArrowType, place: string): void {
  const element = type.children?.[0];
  if (element === undefined) throw damaged(`the lists of '${place}' have no element type`);
  if (type.typeId === KIND.fixedSizeList && !((type.listSize ?? -1) >= 0))
    throw damaged(`the lists of '${place}' have the length ${type.listSize}`);
  checkType(element.type, `${place}[]`);
}
