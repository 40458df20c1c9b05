import type { HandoverTime } from '../../../language/language-texts.ts';
import { findText, findTextLanguage } from '../../../language/localised-texts.ts';
import type { SupportState } from '../../../workspaces/support-hours.ts';

interface Handover {
  readonly language: string;
  /** True if the team already knows of the conversation. */
  readonly wasKnown: boolean;
  /** Null if no support hours are set. */
  readonly support: SupportState | null;
  /** Time zone of the support hours. */
  readonly zone: string;
}

/** From this many days ahead the weekday alone is ambiguous. */
const DAYS_PER_WEEK = 7;

/** Returns the text for a visitor who asked for a person. */
export function handoverMessage({ language, wasKnown, support, zone }: Handover): string {
  const wording = findText('handover', language);
  const first = wasKnown ? wording.alreadyKnown : wording.passedOn;
  if (support === null) return `${first} ${wording.someTime}`;
  if (!support.isOpen)
    return `${first} ${wording.backOn(formatHandoverTime(support, zone, findTextLanguage('handover', language)))}`;
  // A waiting visitor already got this text, and the remaining time is unknown.
  return `${first} ${wasKnown ? wording.someTime : wording.shortly}`;
}

function formatHandoverTime(
  { opensAt, daysAhead }: Extract<SupportState, { isOpen: false }>,
  zone: string,
  language: string,
): HandoverTime {
  const show = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(language, { ...options, timeZone: 'UTC' }).format(opensAt);
  const date = daysAhead < DAYS_PER_WEEK ? {} : ({ day: 'numeric', month: 'long' } as const);
  return {
    day: show({ weekday: 'long', ...date }),
    time: show({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }),
    zone,
  };
}
