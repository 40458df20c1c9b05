import type { Selectable } from 'kysely';
import type { Tables } from '../storage/tables.ts';

/** What `admit_requests` returns. */
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
  /** How many of those that asked. */
  readonly let_in: number;
  /** Why the others are not; null where all are. */
  readonly refused: 'minute' | 'day' | 'concurrent' | null;
  /** With all that were let in, as all that follows. */
  readonly minute_count: number;
  readonly minute_started_at: Date;
  readonly day_count: number;
  readonly in_flight: number;
  /** Of how many that were let in a message was counted; null where none was to be. */
  readonly messages_counted: number | null;
}
