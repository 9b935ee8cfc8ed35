/** Versions that wait for a person, and those that were decided. */
import type { ProposalList } from "../data.ts";
import { useData } from "../loading.ts";
import { NoRows } from "../look/empty.tsx";
import { Table } from "../look/table.tsx";
import { Time } from "../look/time.tsx";
import { FaultNotice } from "../parts/fault.tsx";
import { Pager } from "../parts/tables/pager.tsx";
import { address, go, place } from "../router.ts";
import { useTitle } from "../title.ts";

const PAGE = "50";
const STATES = ["open", "accepted", "declined", "expired", "all"];

/** The filter lives in the address. */
export function Proposals() {
  useTitle("Proposals");
  const state = place.value.query.get("state") ?? "open";
  const cursor = place.value.query.get("cursor") ?? "";
  const query = { state, limit: PAGE, ...(cursor === "" ? {} : { cursor }) };
  const { data, fault } = useData<ProposalList>(`/proposals?${new URLSearchParams(query)}`);
  const proposals = data?.proposals ?? [];
  const inAddress = (chosen: string) => ({ state: chosen === "open" ? "" : chosen });
  return (
    <>
      <h1>Proposals</h1>
      <FaultNotice fault={fault} />
      <div class="filters">
        <label>
          State
          <select
            value={state}
            onChange={(event) => go(address(["proposals"], inAddress(event.currentTarget.value)), { replace: true })}
          >
            {STATES.map((each) => (
              <option key={each} value={each}>
                {each}
              </option>
            ))}
          </select>
        </label>
      </div>
      {proposals.length === 0 ? (
        <NoRows data={data} fault={fault}>
          {state === "all" ? "Nothing was proposed." : `No proposal is ${state}.`} <code>wf propose FILE</code> makes
          one.
        </NoRows>
      ) : (
        <Table label="Proposals" titles={["Program", "State", "Against", "By", "Proposed", "Why"]} isStacked>
          {proposals.map((each) => (
            <tr key={each.id}>
              <td class="name">
                <a href={address(["proposals", each.id])}>{each.name}</a>
              </td>
              <td>{each.stale ? <span class="status bad">stale</span> : each.state}</td>
              <td data-title="against">{each.base === null ? "a first version" : `version ${each.base}`}</td>
              <td data-title="by">{each.proposed_by ?? ""}</td>
              <td>
                <Time at={each.proposed_at} />
              </td>
              <td class="message-cell">{each.comment ?? ""}</td>
            </tr>
          ))}
        </Table>
      )}
      <Pager path={["proposals"]} query={{ ...inAddress(state), cursor }} next={data?.next_cursor} />
    </>
  );
}
