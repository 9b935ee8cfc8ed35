/** Deployments, by name. */
import type { ProgramList } from "../../data.ts";
import { useData } from "../../loading.ts";
import { NoRows } from "../../look/empty.tsx";
import { Table } from "../../look/table.tsx";
import { Time } from "../../look/time.tsx";
import { FaultNotice } from "../../parts/fault.tsx";
import { Pager } from "../../parts/tables/pager.tsx";
import { address, place } from "../../router.ts";
import { useTitle } from "../../title.ts";
import { type Ready, refusedPrograms } from "../readiness.ts";

const PAGE = "100";

export function Programs() {
  useTitle("Programs");
  const cursor = place.value.query.get("cursor") ?? "";
  const query = { limit: PAGE, ...(cursor === "" ? {} : { cursor }) };
  const { data, fault } = useData<ProgramList>(`/programs?${new URLSearchParams(query)}`);
  const ready = useData<Ready>("/ready");
  const refused = refusedPrograms(ready.data?.warnings ?? []);
  const programs = data?.programs ?? [];
  return (
    <>
      <h1>Programs</h1>
      <FaultNotice fault={fault} />
      {programs.length === 0 ? (
        <NoRows data={data} fault={fault}>
          Nothing is deployed. <code>wf serve flows/</code> deploys a folder, <code>wf deploy FILE</code> a file.
        </NoRows>
      ) : (
        <Table label="Programs" titles={["Program", "Version", "State", "From", "Deployed", "Description"]}>
          {programs.map((program) => (
            <tr key={program.name}>
              <td>
                <a href={address(["programs", program.name])}>{program.name}</a>
              </td>
              <td>
                {program.version}
                {program.next === null ? null : (
                  <span class="quiet">
                    , {program.next.version} ({program.next.weight} %)
                  </span>
                )}
              </td>
              <td>{stateOf(program.enabled, refused.has(program.name))}</td>
              <td>{program.source === "file" ? "a file" : "the API"}</td>
              <td>
                <Time at={program.deployed_at} />
              </td>
              <td>{program.description ?? ""}</td>
            </tr>
          ))}
        </Table>
      )}
      <Pager path={["programs"]} query={{ cursor }} next={data?.next_cursor} titles={["first", "next"]} />
    </>
  );
}

function stateOf(isEnabled: boolean, isRefused: boolean) {
  if (isRefused) return <span class="status bad">refused</span>;
  return isEnabled ? "enabled" : <span class="status quiet">disabled</span>;
}
