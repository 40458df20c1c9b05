FROM node:24-bookworm-slim
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --no-audit --no-fund && npm cache clean --force
COPY connectors connectors
COPY core core
COPY server server
COPY workers workers
ENV HOST=0.0.0.0 DATA_DIR=/data NODE_ENV=production
RUN mkdir -p /data node_modules/.cache && chown node:node /data node_modules/.cache
VOLUME /data
USER node
EXPOSE 8080
STOPSIGNAL SIGTERM
CMD ["node", "--disable-warning=ExperimentalWarning", "core/main.ts", "server", "workers"]
