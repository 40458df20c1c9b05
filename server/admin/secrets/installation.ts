import { z } from 'zod';
import type { Runtime } from '../../../core/runtime.ts';
import type { ResealReport, SecretsStatus } from '../../../core/workspaces/secrets.ts';
import { errorResponses } from '../../schemas/responses.ts';
import type { TypedApp } from '../../typed-app.ts';
import { operatorRoute } from '../operator-route.ts';

const statusFields = {
  key_id: z.string().meta({ description: 'Of the encryption key that seals; it does not tell the key.' }),
  previous_key_ids: z.array(z.string()).meta({
    description: 'Of the former keys that this process can still open values with.',
  }),
  outdated_key_ids: z.array(z.string()).meta({
    description:
      'Of the keys that some value still needs, v1 for values of a format that names no key. Empty: former keys can be dropped.',
  }),
};
const tableFields = {
  table: z.string(),
  rows: z.int().meta({ description: 'Rows with a sealed value.' }),
  outdated: z.int().meta({ description: 'Of these, rows that the current key alone does not open.' }),
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
        unreadable: z.int().meta({ description: 'Rows with a value that no configured key opens.' }),
      }),
    ),
  })
  .meta({ id: 'ResealReport' });

/** What the operator of the installation does with its sealed secrets. */
export function installationSecretRoutes(app: TypedApp, runtime: Runtime): void {
  getSecrets(app, runtime);
  postReseal(app, runtime);
  postEncryptionKeyRotation(app, runtime);
}

/** `GET /admin/v1/secrets`. */
function getSecrets(app: TypedApp, { secrets }: Runtime): void {
  const schema = {
    ...operatorRoute,
    operationId: 'getSecretsStatus',
    summary: 'Tell which encryption keys the sealed values need',
    description:
      'Names the current encryption key by its id, and how many values of each table still need a former one. When none does, ENCRYPTION_KEY_PREVIOUS can be removed.',
    response: { 200: statusSchema },
  };
  app.get('/secrets', { schema }, async () => {
    const status = await secrets.status();
    return { ...presentKeys(status), tables: [...status.tables] };
  });
}

/** `POST /admin/v1/secrets/reseal`. */
function postReseal(app: TypedApp, { secrets }: Runtime): void {
  const schema = {
    ...operatorRoute,
    operationId: 'resealSecrets',
    summary: 'Seal every value anew that is not under the current encryption key',
    description:
      'Workers do the same in the background. It may be stopped and called again. Once outdated_key_ids is empty, ENCRYPTION_KEY_PREVIOUS can be dropped.',
    response: { 200: reportSchema },
  };
  app.post('/secrets/reseal', { schema }, async () => presentReport(await secrets.reseal()));
}

/** `POST /admin/v1/secrets/encryption_key/rotate`. */
function postEncryptionKeyRotation(app: TypedApp, { secrets, log }: Runtime): void {
  const schema = {
    ...operatorRoute,
    operationId: 'rotateEncryptionKey',
    summary: 'Make a new encryption key in DATA_DIR and seal every value under it',
    description:
      'Of an installation with the embedded database and without ENCRYPTION_KEY. The former key is kept in the data folder until a start finds that no value needs it.',
    response: {
      200: reportSchema,
      ...errorResponses('encryption_key_configured', 'encryption_key_shared'),
    },
  };
  app.post('/secrets/encryption_key/rotate', { schema }, async (request) => {
    const report = await secrets.replaceKey();
    log.info({ key: report.keyId, request: request.id }, 'encryption key rotated');
    return presentReport(report);
  });
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
