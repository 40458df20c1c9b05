import type { Selectable } from 'kysely';
import type { Tables } from '../storage/tables.ts';

/** What `admit_request` returns. */
export interface AdmissionRow {
  readonly key_id: string;
  readonly key_name: string;
  readonly key_ending: string;
  readonly rate_limit_minute: number;
  readonly rate_limit_day: number;
  readonly expires_at: Date | null;
  readonly revoked_at: Date | null;
  readonly key_created_at: Date;
  /** As JSON: its times are strings. */
  readonly workspace: Omit<Selectable<Tables['workspace']>, 'created_at' | 'deleted_at'> & {
    readonly created_at: string;
  };
  readonly refused: 'minute' | 'day' | 'concurrent' | null;
  readonly minute_count: number;
  readonly minute_started_at: Date;
  readonly day_count: number;
  readonly in_flight: number;
  readonly message_counted: boolean | null;
}
