import type { SupportState } from '../../workspaces/support-hours.ts';
import { type HandoverTime, handoverWording } from './handover-wording.ts';

export interface Handover {
  readonly language: string;
  /** Whether a person knew of the conversation before. */
  readonly wasKnown: boolean;
  /** Null where no hours are set. */
  readonly support: SupportState | null;
  /** The time zone of those hours. */
  readonly zone: string;
}

/** The first day of which the weekday alone would tell another one. */
const NEXT_WEEK = 7;

/** What a visitor is told who asked for a person. */
export function handoverMessage({ language, wasKnown, support, zone }: Handover): string {
  const wording = handoverWording(language);
  const first = wasKnown ? wording.alreadyKnown : wording.passedOn;
  if (support === null) return `${first} ${wording.someTime}`;
  if (!support.isOpen) return `${first} ${wording.backOn(timeOf(support, zone, wording.language))}`;
  // Who waits already was told so, and how long it takes from now on is not known.
  return `${first} ${wasKnown ? wording.someTime : wording.shortly}`;
}

function timeOf(
  { opensAt, daysAhead }: Extract<SupportState, { isOpen: false }>,
  zone: string,
  language: string,
): HandoverTime {
  const show = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(language, { ...options, timeZone: 'UTC' }).format(opensAt);
  const date = daysAhead < NEXT_WEEK ? {} : ({ day: 'numeric', month: 'long' } as const);
  return {
    day: show({ weekday: 'long', ...date }),
    time: show({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }),
    zone,
  };
}
