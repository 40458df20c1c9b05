import { z } from 'zod';
import type { StorageServices } from '../../../core/runtime/open-storage.ts';
import type { Runtime } from '../../../core/runtime/runtime.ts';
import type { ResealReport, SecretsStatus } from '../../../core/workspaces/secrets.ts';
import { needs } from '../../plugins/operator-access.ts';
import { errorResponses } from '../../schemas/responses.ts';
import type { TypedApp } from '../../typed-app.ts';
import { operatorRoute } from '../operator-route.ts';

const statusFields = {
  key_id: z
    .string()
    .meta({ description: 'The id of the current encryption key. It does not reveal the key.' }),
  previous_key_ids: z.array(z.string()).meta({
    description: 'The ids of the old keys that this process can still decrypt values with.',
  }),
  outdated_key_ids: z.array(z.string()).meta({
    description:
      'The ids of the keys that at least one value still needs. If the list is empty, old keys can be removed.',
  }),
};
const tableFields = {
  table: z.string(),
  rows: z.int().meta({ description: 'Rows with an encrypted value.' }),
  outdated: z.int().meta({ description: 'The rows among them that need an old key.' }),
};

const statusSchema = z
  .object({ ...statusFields, tables: z.array(z.object(tableFields)) })
  .meta({ id: 'SecretsStatus' });

const reportSchema = z
  .object({
    ...statusFields,
    tables: z.array(
      z.object({
        ...tableFields,
        resealed: z.int(),
        unreadable: z.int().meta({ description: 'Rows with a value that no configured key can decrypt.' }),
      }),
    ),
  })
  .meta({ id: 'ResealReport' });

/** Registers the routes for the encrypted secrets of the installation. */
export function installationSecretRoutes(app: TypedApp, runtime: Runtime): void {
  getSecrets(app, runtime);
  postReseal(app, runtime);
  postEncryptionKeyRotation(app, runtime);
}

function getSecrets(app: TypedApp, { secrets }: StorageServices): void {
  const schema = {
    ...operatorRoute,
    operationId: 'getSecretsStatus',
    summary: 'Show which encryption keys the stored secrets need',
    description:
      'Returns the id of the current encryption key and, for each table, the number of values that still need an old one. If there are none, ENCRYPTION_KEY_PREVIOUS can be removed.',
    response: { 200: statusSchema },
  };
  app.get('/secrets', { schema, ...needs('installation:write') }, async () => {
    const status = await secrets.status();
    return { ...presentKeys(status), tables: [...status.tables] };
  });
}

function postReseal(app: TypedApp, { secrets }: StorageServices): void {
  const schema = {
    ...operatorRoute,
    operationId: 'resealSecrets',
    summary: 'Encrypt all stored secrets with the current encryption key',
    description:
      'Workers do the same in the background. The request can be aborted and repeated. Once outdated_key_ids is empty, ENCRYPTION_KEY_PREVIOUS can be removed.',
    response: { 200: reportSchema },
  };
  app.post('/secrets/reseal', { schema, ...needs('installation:write') }, async () =>
    presentReport(await secrets.reseal()),
  );
}

function postEncryptionKeyRotation(app: TypedApp, { secrets, log }: Runtime): void {
  const schema = {
    ...operatorRoute,
    operationId: 'rotateEncryptionKey',
    summary: 'Create a new encryption key in DATA_DIR and encrypt all stored secrets with it',
    description:
      'Only for an installation with the embedded database and without ENCRYPTION_KEY. The old key is kept in the data directory until a start finds that no value needs it.',
    response: {
      200: reportSchema,
      ...errorResponses('encryption_key_configured', 'encryption_key_shared'),
    },
  };
  app.post(
    '/secrets/encryption_key/rotate',
    { schema, ...needs('installation:write', { fresh: true }) },
    async (request) => {
      const report = await secrets.replaceKey();
      log.info({ key: report.keyId, request: request.id }, 'encryption key rotated');
      return presentReport(report);
    },
  );
}

function presentKeys({ keyId, previousKeyIds, outdatedKeyIds }: SecretsStatus) {
  return {
    key_id: keyId,
    previous_key_ids: [...previousKeyIds],
    outdated_key_ids: [...outdatedKeyIds],
  };
}

function presentReport(report: ResealReport): z.output<typeof reportSchema> {
  const tables = report.tables.map(({ table, ...counts }) => ({
    table,
    ...counts,
    resealed: report.resealed[table] ?? 0,
    unreadable: report.unreadable[table] ?? 0,
  }));
  return { ...presentKeys(report), tables };
}
