import type { FastifySchemaValidationError } from 'fastify';
import { z } from 'zod';
import { AppError, type ErrorCode, errorCatalogue } from '../../core/errors.ts';
import { findErrorCode } from '../schemas/responses.ts';

const refinementIssueSchema = z.object({ params: z.object({ code: z.string() }) });

interface Fault {
  readonly code: ErrorCode;
  readonly detail: string | undefined;
}

/**
 * The error for what a schema found: a missing field goes before a wrong one, and of several the first in the order
 * of the schema is told. `input` is what was validated.
 */
export function toValidationError(issues: readonly FastifySchemaValidationError[], input: unknown): AppError {
  const faults = issues.map((issue) => toFault(issue, input));
  const told = faults.find((fault) => fault.code === 'missing_field') ?? faults[0];
  if (told === undefined) return new AppError('invalid_body');
  return new AppError(told.code, told.detail === undefined ? {} : { detail: told.detail });
}

function toFault(issue: FastifySchemaValidationError, input: unknown): Fault {
  const [field = '', ...inside] = issue.instancePath.split('/').slice(1);
  if (field === '') return rootFault(input);
  const named = findErrorCode(refinementIssueSchema.safeParse(issue.params).data?.params.code);
  if (named === 'missing_field' || !isGiven(input, field)) {
    return { code: 'missing_field', detail: `${[field, ...inside].join('.')} is required.` };
  }
  if (named !== undefined) return { code: named, detail: undefined };
  const code = findErrorCode(`invalid_${field.replaceAll('-', '_')}`);
  if (code === undefined) return { code: 'invalid_body', detail: `${field}: ${issue.message}.` };
  const where =
    inside.length === 0
      ? undefined
      : `${errorCatalogue[code].text} At ${inside.join('.')}: ${issue.message}.`;
  return { code, detail: where };
}

function rootFault(input: unknown): Fault {
  if (input === undefined) return { code: 'missing_field', detail: 'A JSON body is required.' };
  return { code: 'invalid_body', detail: undefined };
}

function isGiven(input: unknown, field: string): boolean {
  return typeof input === 'object' && input !== null && field in input;
}
