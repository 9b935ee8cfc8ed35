/** The routes of deployments. */
import type { ServiceApp } from "../../http/service-app.ts";
import { changeRoutes } from "./change.ts";
import { deployRoute } from "./deploy.ts";
import { nextRoutes } from "./next.ts";
import type { ProgramsContext } from "./programs-context.ts";
import { proposalRoutes } from "./proposals.ts";
import { readRoutes } from "./read.ts";

export function programRoutes(app: ServiceApp, context: ProgramsContext): void {
  deployRoute(app, context);
  readRoutes(app, context);
  changeRoutes(app, context);
  nextRoutes(app, context);
  proposalRoutes(app, context);
}
