/**
 * For authors of adapters (`weft-runner/adapter`): the declaration of an adapter, its schemas and its errors. docs/adapters tells what
 * the dispatcher does around every verb.
 */
export type { DecidedCall, PolicyDecider } from "./adapters/decisions.ts";
export {
  type AdapterDefinition,
  type AdapterLog,
  anyJson,
  arg,
  defineAdapter,
  type Example,
  id,
  type OpenCall,
  type SettingsOf,
  setting,
  type VerbCall,
  type VerbContext,
  verbsFor,
  z,
} from "./adapters/define.ts";
export { ADAPTER_CODES, type AdapterCode, AuthoredError as AdapterError, adapterError } from "./adapters/errors.ts";
export type { HostServices } from "./adapters/services.ts";
