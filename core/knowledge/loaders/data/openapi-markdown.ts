import { type Fields, isFields } from './fields.ts';

const METHODS = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options', 'trace'];
const MAX_OPERATIONS = 5_000;
const MAX_REFERENCES = 20;
/** Nested fields of a body are named by their path: `customer.address.city`. */
const MAX_DEPTH = 4;
const MAX_FIELDS = 300;

/** Returns whether data is an OpenAPI 3 or Swagger 2 description. */
export function isApiDescription(value: unknown): value is Fields {
  if (!isFields(value) || !isFields(value.paths)) return false;
  return typeof value.openapi === 'string' || typeof value.swagger === 'string';
}

/** Returns a description as Markdown: a section for each operation, with its method and path as the heading. */
export function renderApiDescription(api: Fields): string {
  const operations = [...listOperations(api)].map(({ name, text: body }) => `## ${name}\n\n${body}`);
  return [renderOverview(api), ...operations].join('\n\n');
}

/** Returns what the description says of the API as a whole. */
export function renderOverview(api: Fields): string {
  const info = fieldsOf(api.info);
  const servers = listOf(api.servers).map((server) => inline(fieldsOf(server).url));
  const parts = [`# ${apiTitle(api)}`, text(info.description)];
  if (servers.length > 0) parts.push(`Servers: ${servers.join(', ')}`);
  return parts.filter((part) => part !== '').join('\n\n');
}

export function apiTitle(api: Fields): string {
  return inline(fieldsOf(api.info).title) || 'API';
}

/** The operations of a description, each with its method and path and its Markdown without a heading. */
export function* listOperations(api: Fields): Generator<{ readonly name: string; readonly text: string }> {
  let operations = 0;
  for (const [path, item] of Object.entries(fieldsOf(api.paths))) {
    const shared = resolve(api, item);
    for (const method of METHODS) {
      const operation = shared[method];
      if (!isFields(operation) || operations >= MAX_OPERATIONS) continue;
      operations += 1;
      const name = `${method.toUpperCase()} ${inline(path)}`;
      yield { name, text: renderOperation(api, { shared, operation }) };
    }
  }
}

interface Operation {
  /** The path's own fields, which hold for all of its operations. */
  readonly shared: Fields;
  readonly operation: Fields;
}

function renderOperation(api: Fields, { shared, operation }: Operation): string {
  const parameters = [...listOf(shared.parameters), ...listOf(operation.parameters)].map((one) =>
    resolve(api, one),
  );
  const ofPath = parameters.filter((parameter) => parameter.in !== 'body');
  const body = resolve(api, operation.requestBody ?? parameters.find((parameter) => parameter.in === 'body'));
  const responses = Object.entries(fieldsOf(operation.responses)).map(([status, response]) => [
    status,
    inline(resolve(api, response).description),
  ]);
  return [
    operation.deprecated === true ? 'This operation is deprecated.' : '',
    text(operation.summary),
    operation.description === operation.summary ? '' : text(operation.description),
    table(
      'Parameters',
      ['Parameter', 'In', 'Type', 'Required', 'Description'],
      ofPath.map((parameter) => [
        inline(parameter.name),
        inline(parameter.in),
        typeName(api, parameter.schema ?? parameter),
        parameter.required === true ? 'yes' : 'no',
        inline(parameter.description),
      ]),
    ),
    table('Request body', ['Field', 'Type', 'Required', 'Description'], bodyFields(api, body)),
    table('Responses', ['Status', 'Description'], responses),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

function bodyFields(api: Fields, body: Fields): readonly (readonly string[])[] {
  const [content] = Object.values(fieldsOf(body.content));
  const rows: string[][] = [];
  const visit = (schema: unknown, path: string, depth: number): void => {
    if (depth > MAX_DEPTH) return;
    const { properties, required, items, allOf } = resolve(api, schema);
    for (const part of listOf(allOf)) visit(part, path, depth + 1);
    if (items !== undefined) visit(items, path === '' ? '' : `${path}[]`, depth + 1);
    for (const [key, value] of Object.entries(fieldsOf(properties))) {
      if (rows.length >= MAX_FIELDS) return;
      const field = resolve(api, value);
      const name = path === '' ? key : `${path}.${key}`;
      const isRequired = listOf(required).includes(key);
      rows.push([inline(name), typeName(api, field), isRequired ? 'yes' : 'no', inline(field.description)]);
      visit(field, name, depth + 1);
    }
  };
  visit(fieldsOf(content).schema ?? body.schema, '', 0);
  return rows;
}

function typeName(api: Fields, schema: unknown): string {
  const { type, format, items, enum: values } = resolve(api, schema);
  const kinds = (Array.isArray(type) ? type : [type]).map(inline).filter((kind) => kind !== '');
  const base =
    items === undefined ? kinds.join(' or ') : `list of ${inline(resolve(api, items).type) || 'object'}`;
  const choices = listOf(values).map(inline).join(', ');
  return [base, inline(format), choices === '' ? '' : `one of ${choices}`]
    .filter((part) => part !== '')
    .join(', ');
}

/** Follows `$ref` inside the description. References in a circle, and to other files, are empty. */
function resolve(api: Fields, value: unknown): Fields {
  let found = fieldsOf(value);
  for (let steps = 0; typeof found.$ref === 'string' && steps < MAX_REFERENCES; steps += 1) {
    const path = /^#\/(.+)$/s.exec(found.$ref)?.[1]?.split('/') ?? [];
    let target: unknown = path.length === 0 ? {} : api;
    for (const key of path) target = fieldsOf(target)[key.replaceAll('~1', '/').replaceAll('~0', '~')];
    found = fieldsOf(target);
  }
  return typeof found.$ref === 'string' ? {} : found;
}

function fieldsOf(value: unknown): Fields {
  return isFields(value) ? value : {};
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Descriptions are Markdown; their headings would be sections beside the operations. */
function text(value: unknown): string {
  return typeof value === 'string' ? value.trim().replace(/^#{1,6}[ \t]+(.+)$/gm, '**$1**') : '';
}

function inline(value: unknown): string {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return '';
  return String(value).replace(/\s+/g, ' ').replaceAll('<', '&lt;').trim();
}

function table(caption: string, labels: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return '';
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [`${caption}:`, '', line(labels), line(labels.map(() => '---')), ...rows.map(line)].join('\n');
}
