import { createPublicKey, verify } from 'node:crypto';

/**
 * Verifies the monthly file of an installation. It imports nothing of the product, so that it can be read and run by itself:
 * `verifyReport(text, publicKey)` returns why a file is refused; nothing if it is as the installation signed it, and its numbers
 * fit each other.
 */
export function verifyReport(text: string, publicKey: string): readonly string[] {
  const file = parse(text);
  if (file === undefined) return ['The file is no JSON.'];
  // Each value has one spelling, so that nothing can be added that a program reads differently than a person.
  if (text !== writeReportFile(file)) return ['The file is not written as an installation writes it.'];
  const { report, signature } = fields(file);
  const faults = [
    ...wrongNames('The file', file, ['report', 'signature']),
    ...wrongNames('The signature', signature, ['algorithm', 'public_key', 'value']),
  ];
  if (faults.length > 0) return faults;
  const { algorithm, public_key: signedBy, value } = fields(signature);
  if (algorithm !== 'Ed25519') return ['The signature is not one by Ed25519.'];
  if (signedBy !== publicKey.trim()) return ['The file was signed with another key.'];
  if (!isSigned(JSON.stringify(report), publicKey.trim(), String(value))) {
    return ['The signature does not fit the file.'];
  }
  return findContradictions(report);
}

/** How a file is written. */
export function writeReportFile(file: unknown): string {
  return `${JSON.stringify(file, null, 2)}\n`;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function isSigned(text: string, publicKey: string, signature: string): boolean {
  const key = readKey(publicKey);
  const bytes = Buffer.from(signature, 'base64');
  // Base64 can spell the same bytes in several ways.
  if (key === null || bytes.toString('base64') !== signature) return false;
  return verify(null, Buffer.from(text), key, bytes);
}

function readKey(publicKey: string) {
  try {
    const key = createPublicKey({ key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' });
    return key.asymmetricKeyType === 'ed25519' ? key : null;
  } catch (error) {
    if (error instanceof Error && 'code' in error) return null;
    throw error;
  }
}

type Fields = Readonly<Record<string, unknown>>;

const reportNames = [
  'format',
  'workspace',
  'month',
  'time_zone',
  'issued_at',
  'is_final',
  'conversations',
  'outcomes',
  'disclosure',
  'calibration',
  'addresses',
];
const outcomeNames = ['confirmed', 'assumed', 'handed_over', 'unanswered', 'left'];
const disclosureNames = ['answered', 'by_sentence', 'by_interface', 'not_disclosed'];
const binNames = ['from', 'to', 'answers', 'right', 'mean_probability'];

/** Returns what contradicts itself in a report: an installation would sign none of it. */
function findContradictions(report: unknown): readonly string[] {
  const { format, month, conversations, outcomes, disclosure, calibration, addresses } = fields(report);
  const names = [
    ...wrongNames('The report', report, reportNames),
    ...wrongNames('The outcomes', outcomes, outcomeNames),
    ...wrongNames('The disclosure', disclosure, disclosureNames),
    ...wrongNames('The calibration', calibration, ['judged', 'error', 'bins']),
  ];
  if (names.length > 0) return names;
  if (format !== 'parley-report-v1') return ['The format is not known.'];
  const faults: string[] = [];
  if (!/^\d{4}-(?:0[1-9]|1[0-2])$/.test(String(month))) faults.push('The month is none.');
  const counts = outcomeNames.map((name) => fields(outcomes)[name]);
  if (!isCount(conversations) || sumOf(counts) !== conversations) {
    faults.push('The five outcomes do not add up to the conversations.');
  }
  const { answered, ...ways } = fields(disclosure);
  if (!isCount(answered) || sumOf(Object.values(ways)) !== answered) {
    faults.push('The ways of disclosure do not add up to the answered conversations.');
  }
  if (!Array.isArray(addresses) || !addresses.every(isAddress)) faults.push('An address is none.');
  return [...faults, ...findMiscalibration(fields(calibration))];
}

function findMiscalibration({ judged, error, bins }: Fields): readonly string[] {
  if (!Array.isArray(bins) || !isCount(judged)) return ['The bins of the calibration are none.'];
  const rows = bins.map(fields);
  const isSound = rows.every(
    (row, index) =>
      wrongNames('A bin', row, binNames).length === 0 &&
      row.from === index / 10 &&
      row.to === (index + 1) / 10 &&
      isCount(row.answers) &&
      isCount(row.right) &&
      row.right <= row.answers &&
      (row.answers === 0 ? row.mean_probability === null : isShare(row.mean_probability)),
  );
  if (!isSound || rows.length !== 10) return ['The bins of the calibration are none.'];
  if (sumOf(rows.map(({ answers }) => answers)) !== judged) {
    return ['The bins of the calibration do not add up to the judged answers.'];
  }
  return error === calibrationError(rows) ? [] : ['The calibration error does not follow from its bins.'];
}

/** The mean distance between the stated probability and the share that was right, over all judged answers. Null without any. */
export function calibrationError(bins: readonly Fields[]): number | null {
  const judged = sumOf(bins.map(({ answers }) => answers));
  if (judged === 0) return null;
  const distances = bins.map(({ answers, right, mean_probability: mean }) =>
    Math.abs(Number(mean) * Number(answers) - Number(right)),
  );
  return Math.round((sumOf(distances) / judged) * 10_000) / 10_000;
}

function isAddress(value: unknown): boolean {
  const { kind, address, purpose } = fields(value);
  return (
    wrongNames('', value, ['kind', 'address', 'purpose']).length === 0 &&
    [kind, address, purpose].every((text) => typeof text === 'string' && text !== '')
  );
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function isShare(value: unknown): boolean {
  return typeof value === 'number' && value >= 0 && value <= 1;
}

function sumOf(values: readonly unknown[]): number {
  return values.reduce<number>(
    (sum, value) => sum + (typeof value === 'number' && value >= 0 ? value : Number.NaN),
    0,
  );
}

function fields(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}

/** A field more is a claim that nothing checks, and another order is another file. */
function wrongNames(what: string, value: unknown, names: readonly string[]): readonly string[] {
  const found = Object.keys(fields(value));
  const isRight = found.length === names.length && names.every((name, index) => found[index] === name);
  return isRight ? [] : [`${what} does not have the fields that it must have.`];
}
