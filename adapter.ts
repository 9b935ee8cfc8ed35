/**
 * For authors of adapters (`weft-runner/adapter`): the declaration of an adapter, its schemas and its errors. docs/adapters tells what
 * the dispatcher does around every verb.
 */

export {
  type AdapterDefinition,
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
} from "./adapters/definition/define.ts";
export type { AdapterLog } from "./adapters/definition/effect.ts";
export type { HostServices } from "./adapters/definition/host-services.ts";
export { ADAPTER_CODES, type AdapterCode, AuthoredError as AdapterError, adapterError } from "./adapters/errors.ts";
export type { DecidedCall, PolicyDecider } from "./adapters/operator/deciders.ts";
