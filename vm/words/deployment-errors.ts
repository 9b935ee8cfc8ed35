/** The words of `errors.ts` that deployments, their endpoints and their schedules bring. */
import { word } from "./word.ts";

export const DEPLOYMENT_ERRORS = {
  program_not_found: word(
    "no deployment has this name, or no such version",
    "a wrong name or version, or a deployment that was removed",
    "check the name; wf programs list shows the deployments",
  ),
  deploy_disabled: word(
    "deployments cannot be changed here",
    "WF_DEPLOY is off, which is the default where the service listens on more than the loopback address",
    "the operator sets WF_DEPLOY=on",
  ),
  code_not_taken: word(
    "the service runs deployed programs only",
    "WF_CODE is deployed, and the request brought a program along",
    "name a deployment as program; propose the program to have it deployed",
  ),
  attestation_missing: word(
    "the version is not signed",
    "WF_TRUSTED_KEYS is set, which admits signed versions only",
    "sign it: wf deploy --sign KEY, wf proposals accept --sign KEY, or wf sign program and wf deploy --attestation FILE",
  ),
  attestation_invalid: word(
    "the signature of the version is not valid",
    "the attestation was changed, another key made it, or its time is in the future",
    "sign the version again, and check the clock of the machine that signs",
  ),
  attestation_differs: word(
    "the attestation is about something else than this version",
    "another name, source, settings, report or compiler was signed than was sent",
    "see issues for the members that differ; sign what is deployed, with the wf of the version that the service has",
  ),
  key_unknown: word(
    "the key of the signature is not trusted here",
    "its public key is not among those of WF_TRUSTED_KEYS",
    "sign with a key that the operator trusts, or let the operator add this one",
  ),
  key_expired: word(
    "the key of the signature ended before the version was signed or admitted",
    "the day of until of the key is over",
    "sign with a key that has not ended",
  ),
  key_revoked: word(
    "the key of the signature is revoked",
    "the operator revoked it in WF_TRUSTED_KEYS; versions that it signed do not start new runs",
    "sign the version with another key and deploy it again",
  ),
  proposals_only: word(
    "a version becomes current only when a person accepts it",
    "WF_DEPLOY=proposals, and the request would change a deployment without a proposal",
    "propose the version (wf propose, or PUT with ?propose=1), or let a person whom the proxy names make the change",
  ),
  proposal_not_found: word(
    "no proposal has this id",
    "a wrong id, or a proposal that was decided long ago",
    "wf proposals lists them",
  ),
  proposal_not_open: word(
    "the proposal was decided, or its time is over",
    "somebody accepted or declined it, or it waited for 30 days",
    "propose the version again",
  ),
  proposal_not_yours: word(
    "the caller may not accept this proposal",
    "the caller proposed it, or the proxy does not name who asks",
    "let somebody else accept it",
  ),
  proposal_stale: word(
    "the proposal was made against another version than is current",
    "another version became current since, or the acceptance names another checksum",
    "propose the version again, and look at the new difference",
  ),
  proposals_full: word(
    "no more proposals can wait",
    "WF_PROPOSALS_MAX proposals are open",
    "accept or decline some, or let the operator raise WF_PROPOSALS_MAX",
  ),
  next_invalid: word(
    "the deployment has no such version next to the current one",
    "it is the current one, another one is next, or none is",
    "wf programs show NAME shows which versions are current and next",
  ),
  program_cannot_run: word(
    "the program cannot work here, and the service takes only programs that can",
    "WF_DEPLOY_STRICT is on, and the program uses an adapter that is not enabled or a secret that is not set",
    "enable the adapter, or set the secret",
  ),
  managed_by_files: word(
    "the deployment comes from files and cannot be changed over HTTP",
    "the service was started with the file of this program",
    "change the file; wf serve --watch deploys it again",
  ),
  programs_full: word(
    "no more programs can be deployed",
    "WF_PROGRAMS_MAX deployments exist",
    "remove a deployment, or let the operator raise WF_PROGRAMS_MAX",
  ),
  schedules_full: word(
    "no more schedules can be added",
    "the deployments together would have more than WF_SCHEDULES_MAX schedules",
    "remove schedules or a deployment, or let the operator raise WF_SCHEDULES_MAX",
  ),
  version_conflict: word(
    "another version is current than If-Match names",
    "somebody deployed or rolled back in the meantime",
    "read the deployment again, look at the difference, and repeat the request with its version",
  ),
  program_disabled: word(
    "the deployment is disabled",
    "somebody disabled it; its endpoints do not answer and its schedules do not fire",
    "enable it with wf programs enable NAME",
  ),
  schedule_invalid: word(
    "a schedule of the deployment cannot fire",
    "a cron line that is not valid or has no next time, an unknown time zone or label, until before from, or too much jitter",
    "see issues for the schedule and what is expected",
  ),
  schedule_not_found: word(
    "no schedule has this id",
    "a wrong id, or a deployment whose current version does not have it",
    "wf schedule list shows the schedules",
  ),
  event_invalid: word(
    "an event that the program names cannot start its jobs",
    "the grant does not accept the event, an expression of @on that cannot be used, or an input that nothing gives",
    "see issues for the line and what is expected",
  ),
  event_key_invalid: word(
    "the key of the event cannot be used",
    "the expression key of @on gave an empty text, more than 256 characters, or neither a text nor a number",
    "let it give a short text, such as data.customer",
  ),
  expression_invalid: word(
    "an expression of @on cannot be used any more",
    "this version of Weft refuses it",
    "wf check shows why; deploy the program again",
  ),
  event_not_found: word(
    "no event has this id",
    "a wrong id, or an event that is forgotten",
    "wf events list shows the events that are kept",
  ),
  events_full: word(
    "no more events are taken",
    "too many wait for their time or for room in the queue, or too many ids are kept",
    "try again later, or let the operator raise WF_EVENTS_MAX",
  ),
  endpoint_invalid: word(
    "an endpoint of the program cannot be served",
    "a path template that does not parse, two endpoints with one path, or settings for an endpoint that does not exist",
    "see issues for the endpoint and what is expected",
  ),
  signature_invalid: word(
    "the signature of the delivery is not valid",
    "a missing or wrong signature, or a timestamp that is more than 300 s off",
    "check the secret and the clock of the sender; the log of the service has the reason",
  ),
  response_type: word(
    "the result is not of the type that the endpoint declares",
    "the program ended with another value than its endpoint promises",
    "see the event response_type in the log for the place; correct the program or the type",
  ),
} as const;
