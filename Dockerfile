# Two stages: the first installs, builds and drops what only development needs; the second holds what runs.
# Build: docker build -t weft-runner:1.0.0 .
FROM node:22-slim AS build
WORKDIR /app
COPY . .
RUN npm ci && node scripts/image-packages.mjs && npm prune --omit=dev --ignore-scripts

FROM node:22-slim
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
RUN mkdir -p /var/lib/weft /var/lib/weft-data && chown node:node /var/lib/weft /var/lib/weft-data
USER node
# The grant of the image: stores below the data root, waits, questions to people, and the hosts that the operator names in its file. Set another one when you run it.
ENV NODE_ENV=production \
    WF_HOST=0.0.0.0 \
    WF_STATE_DIR=/var/lib/weft \
    WF_DATA_ROOT=/var/lib/weft-data \
    WF_SECURITY_PROFILE=automation_team
VOLUME ["/var/lib/weft", "/var/lib/weft-data"]
EXPOSE 8770
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:8770/health').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# Node is process 1 and handles SIGTERM itself: it ends its runs first, for at most WF_DRAIN_MS.
STOPSIGNAL SIGTERM
CMD ["node", "dist/wf.mjs", "serve"]
