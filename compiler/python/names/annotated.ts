/** What `from module import name` takes that is not there. */
import { TYPING_MODULES } from "../library/known.ts";

/** Members of modules that no row has: they stand in annotations or above definitions, where they are looked at. Those of Python are CPython 3.11's. */
const ANNOTATED: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries({
    weft: "Answer Record api cron job on",
    typing:
      "AbstractSet Annotated Any AnyStr AsyncContextManager AsyncGenerator AsyncIterable AsyncIterator Awaitable BinaryIO " +
      "ByteString Callable ChainMap ClassVar Collection Concatenate Container ContextManager Coroutine Counter DefaultDict " +
      "Deque Dict Final ForwardRef FrozenSet Generator Generic Hashable IO ItemsView Iterable Iterator KeysView List Literal " +
      "LiteralString Mapping MappingView Match MutableMapping MutableSequence MutableSet NamedTuple Never NewType NoReturn " +
      "NotRequired Optional OrderedDict ParamSpec ParamSpecArgs ParamSpecKwargs Pattern Protocol Required Reversible Self " +
      "Sequence Set Sized SupportsAbs SupportsBytes SupportsComplex SupportsFloat SupportsIndex SupportsInt SupportsRound " +
      "TYPE_CHECKING Text TextIO Tuple Type TypeAlias TypeGuard TypeVar TypeVarTuple TypedDict Union Unpack ValuesView " +
      "assert_never assert_type cast clear_overloads dataclass_transform final get_args get_origin get_overloads " +
      "get_type_hints is_typeddict no_type_check no_type_check_decorator overload reveal_type runtime_checkable",
    "collections.abc":
      "AsyncGenerator AsyncIterable AsyncIterator Awaitable ByteString Callable Collection Container Coroutine Generator " +
      "Hashable ItemsView Iterable Iterator KeysView Mapping MappingView MutableMapping MutableSequence MutableSet Reversible " +
      "Sequence Set Sized ValuesView",
    enum:
      "CONFORM CONTINUOUS EJECT Enum EnumCheck EnumMeta EnumType Flag FlagBoundary IntEnum IntFlag KEEP NAMED_FLAGS ReprEnum " +
      "STRICT StrEnum UNIQUE auto global_enum global_enum_repr global_flag_repr global_str member nonmember " +
      "pickle_by_enum_name pickle_by_global_name property show_flag_values unique verify",
    dataclasses:
      "Field FrozenInstanceError InitVar KW_ONLY MISSING asdict astuple dataclass field fields is_dataclass make_dataclass " +
      "replace",
    abc:
      "ABC ABCMeta abstractclassmethod abstractmethod abstractproperty abstractstaticmethod get_cache_token " +
      "update_abstractmethods",
    __future__:
      "absolute_import annotations division generator_stop generators nested_scopes print_function unicode_literals " +
      "with_statement",
  }).map(([module, names]) => [module, new Set(names.split(" "))]),
);

export function isAnnotated(module: string, name: string): boolean {
  return ANNOTATED.get(module)?.has(name) === true;
}

/** Rows that say that a module lacks a member. Others say what serves for one that Python has. */
const MISSING_MEMBERS: ReadonlySet<string> = new Set(["unknown_member", "unknown_member_near", "module_of_python"]);

/** A row of the table of refusals and its words. */
export type ModuleFault = { readonly row: string; readonly words: Readonly<Record<string, string>> };

/** Why an import of a member fails in CPython; null: it does not. `member`: what the member is here. */
export function missingMember(
  module: string,
  name: string,
  member: () => ModuleFault | { readonly kind: string },
): ModuleFault | null {
  if (isAnnotated(module, name)) return null;
  if (TYPING_MODULES.has(module)) return { row: "unknown_member", words: { module, name } };
  const found = member();
  return "row" in found && MISSING_MEMBERS.has(found.row) ? found : null;
}
