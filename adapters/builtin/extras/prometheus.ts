/**
 * Numbers of an object in the text format of Prometheus, for a collector that reads files: numbers become gauges, objects of numbers
 * gauges with a label. Everything else has no place there.
 */
import { isObject, type Json, type JsonObject } from "../../../compiler/json.ts";

type Sample = { readonly value: number; readonly key: string | null };

/** Every line carries the name of the summary, so that several files can be collected side by side. */
export function prometheusText(summary: string, object: JsonObject): string {
  const gauges = new Map<string, readonly Sample[]>();
  for (const [member, value] of Object.entries(object)) {
    const name = `weft_${member.replace(/[^A-Za-z0-9_]/g, "_")}`;
    const samples = samplesOf(value);
    // Two members whose names become the same would make the whole file invalid.
    if (samples.length > 0 && !gauges.has(name)) gauges.set(name, samples);
  }
  let text = "";
  for (const [name, samples] of gauges) {
    text += `# TYPE ${name} gauge\n`;
    for (const { key, value } of samples) {
      const labels = [`summary="${escaped(summary)}"`, ...(key === null ? [] : [`key="${escaped(key)}"`])];
      text += `${name}{${labels.join(",")}} ${value}\n`;
    }
  }
  return text;
}

function samplesOf(value: Json): readonly Sample[] {
  if (typeof value === "number") return [{ value, key: null }];
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, one]) => (typeof one === "number" ? [{ value: one, key }] : []));
}

function escaped(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}
