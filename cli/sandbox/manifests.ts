/** A program in a container that can do nothing else: as a Compose file, and as Kubernetes resources. */
import type { Json } from "../../compiler/json.ts";
import { PLACES, type SandboxNeeds } from "./needs.ts";

export const TARGETS = ["docker", "kubernetes"] as const;

/** `name`: of the resources; letters, digits and hyphens. */
export type SandboxOptions = { readonly name: string; readonly image: string };

const MEMORY_MIB = 512;
const USER = 1000;
/** Beyond the run's own time, for start and end. */
const SLACK_S = 30;
/** Networks of one's own, and the addresses where clouds keep their keys. */
const PRIVATE: readonly string[] = ["10.0.0.0/8", "100.64.0.0/10", "169.254.0.0/16", "172.16.0.0/12", "192.168.0.0/16"];

const commandOf = ({ flags }: SandboxNeeds): string[] => [
  "node",
  "dist/wf.mjs",
  "run",
  `${PLACES.program}/program.json`,
  "--json",
  ...flags,
];

function plainVariables({ environment, state }: SandboxNeeds): Record<string, string> {
  return {
    ...(state
      ? {
          WF_STATE_DIR: PLACES.state,
          WF_AGENT_ROOT: `${PLACES.state}/agents`,
          WF_MEMORY_DB: `${PLACES.state}/memory.db`,
        }
      : {}),
    ...(environment.length === 0 ? {} : { WF_EXPOSE_ENV: environment.join(",") }),
  };
}

export function composeFile(needs: SandboxNeeds, { name, image }: SandboxOptions): Json {
  const files = Object.entries(needs.files);
  const volumes = [...(needs.state ? [`state:${PLACES.state}`] : []), ...(needs.data ? [`./data:${PLACES.data}`] : [])];
  return {
    name,
    services: {
      program: {
        image,
        command: commandOf(needs),
        // A name without a value is taken from the environment that starts the container.
        environment: [
          ...Object.entries(plainVariables(needs)).map(([variable, value]) => `${variable}=${value}`),
          ...needs.environment,
        ],
        ...(needs.network ? {} : { network_mode: "none" }),
        user: `${USER}:${USER}`,
        read_only: true,
        cap_drop: ["ALL"],
        security_opt: ["no-new-privileges:true"],
        tmpfs: ["/tmp:size=64m"],
        mem_limit: `${MEMORY_MIB}m`,
        cpus: 1,
        pids_limit: 256,
        configs: files.map(([file]) => ({ source: sourceOf(file), target: `${PLACES.program}/${file}` })),
        ...(volumes.length === 0 ? {} : { volumes }),
      },
    },
    // Compose reads a dollar sign as the beginning of a variable.
    configs: Object.fromEntries(
      files.map(([file, text]) => [sourceOf(file), { content: text.replaceAll("$", "$$$$") }]),
    ),
    ...(needs.state ? { volumes: { state: {} } } : {}),
  };
}

const sourceOf = (file: string): string => file.replace(".json", "");

export function kubernetesResources(needs: SandboxNeeds, { name, image }: SandboxOptions): Json[] {
  const labels = { app: name };
  const metadata = { name, labels };
  return [
    { apiVersion: "v1", kind: "ConfigMap", metadata, data: { ...needs.files } },
    {
      apiVersion: "networking.k8s.io/v1",
      kind: "NetworkPolicy",
      metadata,
      spec: {
        podSelector: { matchLabels: labels },
        policyTypes: ["Ingress", "Egress"],
        ingress: [],
        egress: needs.network ? PUBLIC_EGRESS : [],
      },
    },
    ...(needs.state
      ? [
          {
            apiVersion: "v1",
            kind: "PersistentVolumeClaim",
            metadata: { name: `${name}-state`, labels },
            spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
          },
        ]
      : []),
    jobResource(needs, { name, image }, labels),
  ];
}

const PUBLIC_EGRESS: Json[] = [
  {
    ports: [
      { protocol: "UDP", port: 53 },
      { protocol: "TCP", port: 53 },
    ],
  },
  {
    to: [{ ipBlock: { cidr: "0.0.0.0/0", except: [...PRIVATE] } }],
    ports: [
      { protocol: "TCP", port: 443 },
      { protocol: "TCP", port: 80 },
    ],
  },
];

function jobResource(needs: SandboxNeeds, { name, image }: SandboxOptions, labels: { readonly app: string }): Json {
  const folders: [string, string, { readonly [kind: string]: Json }][] = [
    ["program", PLACES.program, { configMap: { name } }],
    ["scratch", "/tmp", { emptyDir: { sizeLimit: "64Mi" } }],
    ...(needs.state
      ? [
          ["state", PLACES.state, { persistentVolumeClaim: { claimName: `${name}-state` } }] satisfies [
            string,
            string,
            Json,
          ],
        ]
      : []),
    ...(needs.data
      ? [
          ["data", PLACES.data, { persistentVolumeClaim: { claimName: `${name}-data` } }] satisfies [
            string,
            string,
            Json,
          ],
        ]
      : []),
  ];
  const container = {
    name: "program",
    image,
    command: commandOf(needs),
    env: [
      ...Object.entries(plainVariables(needs)).map(([variable, value]) => ({ name: variable, value })),
      ...needs.environment.map((variable) => ({
        name: variable,
        valueFrom: { secretKeyRef: { name: `${name}-environment`, key: variable } },
      })),
    ],
    resources: { limits: { memory: `${MEMORY_MIB}Mi`, cpu: "1" }, requests: { memory: "128Mi", cpu: "100m" } },
    securityContext: {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ["ALL"] },
    },
    volumeMounts: folders.map(([volume, mountPath]) => ({
      name: volume,
      mountPath,
      ...(volume === "program" ? { readOnly: true } : {}),
    })),
  };
  return {
    apiVersion: "batch/v1",
    kind: "Job",
    metadata: { name, labels },
    spec: {
      backoffLimit: 0,
      activeDeadlineSeconds: needs.seconds + SLACK_S,
      template: {
        metadata: { labels },
        spec: {
          restartPolicy: "Never",
          automountServiceAccountToken: false,
          enableServiceLinks: false,
          securityContext: {
            runAsNonRoot: true,
            runAsUser: USER,
            fsGroup: USER,
            seccompProfile: { type: "RuntimeDefault" },
          },
          containers: [container],
          volumes: folders.map(([volume, , source]) => ({ name: volume, ...source })),
        },
      },
    },
  };
}
