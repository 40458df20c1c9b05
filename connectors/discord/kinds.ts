/** Discord's own numbers. Text and announcements: what a thread can be made in. */
export const TEXT_CHANNELS: readonly number[] = [0, 5];
/** Of announcements, public and private: a post of a forum is one of these. */
export const THREADS: readonly number[] = [10, 11, 12];

/** Of messages that people write: plain ones and replies. All else tells what happened. */
export const PLAIN = 0;
export const REPLY = 19;

/** Of interactions: a command, and something that was pressed. */
export const COMMAND = 2;
export const COMPONENT = 3;
