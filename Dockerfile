# The steps are in scripts/container-steps.sh, where they are tested without a container engine (npm run test:container).

FROM node:24-bookworm-slim AS build
WORKDIR /src
COPY . .
RUN sh scripts/container-steps.sh build && sh scripts/container-steps.sh assemble /app

FROM node:24-bookworm-slim
# git imports repositories; add ffmpeg for sound and film: --build-arg TOOLS="ca-certificates git ffmpeg".
ARG TOOLS="ca-certificates git"
RUN apt-get update \
  && apt-get install -y --no-install-recommends ${TOOLS} \
  && rm -rf /var/lib/apt/lists/* \
  && mkdir /data /backups && chown 10001:10001 /data /backups
COPY --from=build /app /app
WORKDIR /app
# A host that others reach needs CTXDB_ROOT_API_KEY: without it the start is refused.
ENV NODE_ENV=production CTXDB_HOST=0.0.0.0 CTXDB_PORT=1933 CTXDB_DATA_DIR=/data CTXDB_BACKUP_DIR=/backups
USER 10001:10001
VOLUME /data /backups
EXPOSE 1933
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s --retries=3 CMD ["node", "/app/health.mjs"]
# no shell in between: the signal goes to the server
CMD ["node", "/app/dist/src/main.js"]
