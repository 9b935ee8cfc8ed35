/** The Helm chart, rendered, and its values checked against its schema. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv } from "ajv";
import { describe, expect, it } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { TemplateRefusal, Templates } from "./go-template.ts";

const CHART = join(import.meta.dirname, "../../deploy/helm/weft");
const DEFAULTS = parse(readFileSync(join(CHART, "values.yaml"), "utf8")) as Values;
const SCHEMA = JSON.parse(readFileSync(join(CHART, "values.schema.json"), "utf8"));
const VERSION = (JSON.parse(readFileSync(join(CHART, "../../../package.json"), "utf8")) as { version: string }).version;

type Values = { [name: string]: unknown };
// biome-ignore lint/suspicious/noExplicitAny: documents of Kubernetes, read by path
type Documents = { readonly [kind: string]: any };

function rendered(values: Values): Documents {
  const templates = new Templates();
  const names = readdirSync(join(CHART, "templates"));
  for (const name of names) templates.add(name, readFileSync(join(CHART, "templates", name), "utf8"));
  const data = {
    Values: values,
    Chart: { Name: "weft", AppVersion: VERSION },
    Release: { Name: "prod", Service: "Helm", Namespace: "default" },
  };
  const documents = names
    .filter((name) => name.endsWith(".yaml"))
    .flatMap((name) => parseAllDocuments(templates.render(name, data)))
    .map((document) => {
      expect(document.errors).toEqual([]);
      return document.toJS() as { kind: string } | null;
    })
    .filter((document) => document !== null);
  return Object.fromEntries(documents.map((document) => [document.kind, document]));
}

const container = (documents: Documents) => documents.Deployment.spec.template.spec.containers[0];
const variables = (documents: Documents): { [name: string]: unknown } =>
  Object.fromEntries(
    container(documents).env.map((each: { name: string; value?: string }) => [each.name, each.value ?? each]),
  );

describe("the Helm chart", () => {
  it("has the version of the package", () => {
    const chart = parse(readFileSync(join(CHART, "Chart.yaml"), "utf8")) as Values;
    expect(chart).toMatchObject({ version: VERSION, appVersion: VERSION });
  });

  it("keeps jobs on a volume and replaces the pod before a new one starts, by default", () => {
    const documents = rendered(DEFAULTS);
    expect(Object.keys(documents).sort()).toEqual(["Deployment", "PersistentVolumeClaim", "Service"]);
    expect(documents.Deployment.spec).toMatchObject({ replicas: 1, strategy: { type: "Recreate" } });
    expect(variables(documents)).toMatchObject({
      WF_SECURITY_PROFILE: "automation_team",
      WF_STATE_DIR: "/var/lib/weft",
    });
    expect(container(documents).image).toBe(`weft-runner:${VERSION}`);
    expect(documents.Deployment.spec.template.spec.volumes).toContainEqual({
      name: "files",
      persistentVolumeClaim: { claimName: "prod-weft" },
    });
  });

  it("runs as a user without rights, on a file system that is read-only", () => {
    const { securityContext } = rendered(DEFAULTS).Deployment.spec.template.spec;
    expect(securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000, fsGroup: 1000 });
    expect(container(rendered(DEFAULTS)).securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ["ALL"] },
    });
  });

  it("gives runs their time to end before the pod is killed", () => {
    const documents = rendered({ ...DEFAULTS, drainMs: 60_000 });
    expect(variables(documents).WF_DRAIN_MS).toBe("60000");
    expect(documents.Deployment.spec.template.spec.terminationGracePeriodSeconds).toBe(75);
  });

  it("uses the database of several replicas and no volume", () => {
    const documents = rendered({
      ...DEFAULTS,
      replicas: 3,
      database: { secretName: "weft-database", secretKey: "url" },
    });
    expect(Object.keys(documents).sort()).toEqual(["Deployment", "PodDisruptionBudget", "Service"]);
    expect(documents.Deployment.spec).toMatchObject({ replicas: 3, strategy: { type: "RollingUpdate" } });
    expect(variables(documents)).toMatchObject({
      WF_STATE_DIR: "",
      WF_DATABASE_URL: { valueFrom: { secretKeyRef: { name: "weft-database", key: "url" } } },
    });
  });

  it("refuses several replicas without a database", () => {
    expect(() => rendered({ ...DEFAULTS, replicas: 2 })).toThrow(TemplateRefusal);
  });

  it("renders with no value at all", () => {
    expect(Object.keys(rendered({})).sort()).toEqual(["Deployment", "Service"]);
    const nothing = Object.fromEntries(Object.keys(DEFAULTS).map((name) => [name, null]));
    expect(rendered(nothing)).toEqual(rendered({}));
    expect(variables(rendered({})).WF_SECURITY_PROFILE).toBe("automation_team");
  });

  it("passes settings and secrets on", () => {
    const documents = rendered({
      ...DEFAULTS,
      settings: { WF_QUEUE_MAX: "100", WF_TRUST_PROXY: "1" },
      secretName: "keys",
    });
    expect(variables(documents)).toMatchObject({ WF_QUEUE_MAX: "100", WF_TRUST_PROXY: "1" });
    expect(container(documents).envFrom).toEqual([{ secretRef: { name: "keys" } }]);
  });

  it("passes further variables on, such as one key of a Secret", () => {
    const token = { name: "WF_SECRET_CRM", valueFrom: { secretKeyRef: { name: "crm", key: "token" } } };
    expect(container(rendered({ ...DEFAULTS, extraEnv: [token] })).env).toContainEqual(token);
  });

  it("leads a host to the service, and says who checks its callers, where an ingress is wanted", () => {
    const ingress = { enabled: true, host: "weft.example.com", className: "nginx", tlsSecretName: "weft-tls" };
    const annotations = { "nginx.ingress.kubernetes.io/auth-url": "https://auth.example.com/check" };
    const { Ingress, Service } = rendered({ ...DEFAULTS, ingress: { ...ingress, annotations } });
    expect(Ingress.metadata.annotations).toEqual(annotations);
    const [rule] = Ingress.spec.rules;
    expect([Ingress.spec.ingressClassName, rule.host]).toEqual(["nginx", "weft.example.com"]);
    expect(Ingress.spec.tls).toEqual([{ secretName: "weft-tls", hosts: ["weft.example.com"] }]);
    const { name, port } = rule.http.paths[0].backend.service;
    expect([name, port.name]).toEqual([Service.metadata.name, Service.spec.ports[0].name]);
  });

  it("refuses an ingress without a host, to which every name would lead", () => {
    expect(() => rendered({ ...DEFAULTS, ingress: { enabled: true } })).toThrow(TemplateRefusal);
  });

  it("lets the load say how many replicas run, where that is wanted and they share a database", () => {
    const autoscaling = { enabled: true, min: 2, max: 6, cpuPercent: 60 };
    const scaled = { ...DEFAULTS, autoscaling, database: { secretName: "weft-database" } };
    const documents = rendered(scaled);
    expect(documents.Deployment.spec.replicas).toBeUndefined();
    const { scaleTargetRef, minReplicas, maxReplicas, metrics } = documents.HorizontalPodAutoscaler.spec;
    expect([scaleTargetRef.name, minReplicas, maxReplicas]).toEqual([documents.Deployment.metadata.name, 2, 6]);
    expect(metrics[0].resource.target.averageUtilization).toBe(60);
    expect(documents.PodDisruptionBudget).toBeDefined();
    expect(() => rendered({ ...DEFAULTS, autoscaling })).toThrow(TemplateRefusal);
  });

  it("is installed on a database of CloudNativePG with the values next to it", () => {
    const values = parse(readFileSync(join(CHART, "../postgresql.yaml"), "utf8")) as Values;
    const all = { ...DEFAULTS, ...values };
    expect(new Ajv({ strict: false }).compile(SCHEMA)(all)).toBe(true);
    const documents = rendered(all);
    expect(variables(documents)).toMatchObject({
      WF_STATE_DIR: "",
      WF_DATABASE_URL: { valueFrom: { secretKeyRef: { name: "weft-database-app", key: "uri" } } },
    });
    expect(documents.HorizontalPodAutoscaler).toBeDefined();
  });

  it("has a network policy and a monitor where they are wanted", () => {
    const documents = rendered({
      ...DEFAULTS,
      networkPolicy: { enabled: true, from: { app: "agent" } },
      serviceMonitor: { enabled: true, interval: "30s" },
    });
    expect(documents.NetworkPolicy.spec.ingress).toEqual([
      { from: [{ podSelector: { matchLabels: { app: "agent" } } }], ports: [{ port: "http" }] },
    ]);
    expect(documents.ServiceMonitor.spec.endpoints).toEqual([{ port: "http", path: "/metrics", interval: "30s" }]);
    const closed = rendered({ ...DEFAULTS, networkPolicy: { enabled: true } });
    expect(closed.NetworkPolicy.spec.ingress).toEqual([]);
  });

  describe("schema of values", () => {
    const isValid = new Ajv({ strict: false }).compile(SCHEMA);

    it("admits the defaults, and every value unset", () => {
      expect(isValid(DEFAULTS)).toBe(true);
      expect(isValid(Object.fromEntries(Object.keys(DEFAULTS).map((name) => [name, null])))).toBe(true);
    });

    it.each([
      ["a member that is misspelt", { replica: 2 }],
      ["a number of replicas that is text", { replicas: "2" }],
      ["a setting that is not Weft's", { settings: { PATH: "/bin" } }],
      ["a setting that is a number, which Helm would write as 1e+06", { settings: { WF_QUEUE_MAX: 1_000_000 } }],
      ["a variable without a name", { extraEnv: [{ value: "x" }] }],
      ["annotations that are not text", { ingress: { annotations: { a: true } } }],
      ["more replicas than there may be", { autoscaling: { max: 1000 } }],
      ["a port out of range", { service: { port: 70_000 } }],
      ["a size without a unit", { persistence: { size: "1000" } }],
    ])("refuses %s", (_, values) => {
      expect(isValid({ ...DEFAULTS, ...values })).toBe(false);
    });
  });
});
