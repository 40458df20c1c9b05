import { countingIn } from '../counting.ts';

const { plural, number } = countingIn('en');

/** Words of the parts that every screen has. */
export const parts = {
  error: {
    title: 'This did not load',
    noConnection: 'The server cannot be reached. Check your connection.',
    unexpected: 'The dashboard met something it does not expect.',
    tryAgain: 'Try again',
    copy: 'Copy the code and the request id',
  },
  noRight: {
    title: (who: string) => `This is for ${who}.`,
    owners: 'owners',
    ask: 'Ask an owner of this workspace.',
  },
  copy: 'Copy',
  copied: 'Copied',
  show: 'Show',
  hide: 'Hide',
  save: 'Save',
  unsaved: 'Not saved',
  discard: 'Discard',
  saving: 'Saving',
  cancel: 'Cancel',
  secretOnce: {
    hint: 'Shown only now. If it is lost, make another.',
    ready: (name: string) => `“${name}” is ready`,
  },
  confidence: { high: 'High', medium: 'Medium', low: 'Low', none: 'Nothing found' },
  unsure: 'Unsure',
  score: (value: number) => `Score ${number(value)}`,
  form: {
    defaultIs: (value: string) => `Default: ${value}`,
    reset: 'Reset to default',
    resetField: (label: string) => `Reset to default: ${label}`,
    add: 'Add',
    remove: (label: string) => `Remove ${label}`,
    optional: 'optional',
    notSet: 'Not set',
    on: 'on',
    off: 'off',
    empty: 'empty',
    required: 'This is needed.',
    item: (position: number) => `Entry ${number(position)}`,
    unchanged: 'Stored. Leave it empty to keep it.',
    problems: (count: number) =>
      plural(count, { one: '# field needs a change', other: '# fields need a change' }),
  },
  table: { rows: (count: number) => plural(count, { one: '# row', other: '# rows' }), actions: 'Actions' },
  tabs: { next: 'Next tab', previous: 'Previous tab' },
  time: { now: 'just now', never: 'never' },
};
