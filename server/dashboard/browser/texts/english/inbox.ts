import { countingIn } from '../counting.ts';

const { plural, number } = countingIn('en');

const conversations = (count: number) => plural(count, { one: '# conversation', other: '# conversations' });

const alreadyResolved = (count: number) =>
  plural(count, { one: '# was resolved already', other: '# were resolved already' });

/** The conversations of a change, and those of them that it changes. */
interface Counts {
  readonly changing: number;
  readonly all: number;
}

interface Change {
  readonly status?: string;
  readonly assignee_id?: string | null;
  readonly priority?: string;
  readonly delete?: boolean;
  readonly read?: boolean;
}

/** The list of conversations, its views, filters and actions. */
export const inbox = {
  openConversation: 'The open conversation',
  views: {
    waiting: 'Waiting for a person',
    mine: 'Mine',
    unread: 'Unread',
    sla_at_risk: 'SLA at risk',
    snoozed: 'Snoozed',
    low_confidence: 'Low confidence today',
    open: 'All open',
    resolved: 'Resolved',
    all: 'All conversations',
  },
  shortViews: {
    waiting: 'Waiting',
    mine: 'Mine',
    unread: 'Unread',
    sla_at_risk: 'At risk',
    snoozed: 'Snoozed',
    low_confidence: 'Low confidence',
    open: 'Open',
    resolved: 'Resolved',
  },
  viewsLabel: 'Views of the inbox',
  savedViews: 'Saved views',
  /** `end`: where the server stops counting. */
  count: (count: number, end = 1_000) => (count >= end ? `${number(end - 1)}+` : number(count)),
  shared: 'Shared with everybody',
  personal: 'Only for me',
  viewMenu: (name: string) => `Change the view ${name}`,
  rename: 'Rename',
  share: 'Share with everybody',
  keepPrivate: 'Keep for me only',
  moveUp: 'Move up',
  moveDown: 'Move down',
  moved: (name: string, place: number, count: number) => `${name} is ${number(place)} of ${number(count)}.`,
  deleteView: 'Delete the view',
  viewDeleted: (name: string) => `The view ${name} is deleted`,
  saveView: 'Save view',
  updateView: (name: string) => `Update ${name}`,
  viewName: 'Name',
  viewNameHint: 'Returns EU',
  saveTitle: 'Save this view',
  save: 'Save',
  sorts: { waiting: 'Longest wait first', latest: 'Latest first', sla_due: 'SLA due first' },
  sort: 'Order',
  fresh: (count: number) => `${number(count)} new`,
  freshHint: 'Show what is new',
  filter: 'Filter',
  filters: {
    status: 'Status',
    channel: 'Channel',
    assignee: 'Assignee',
    priority: 'Priority',
    tag: 'Tags',
    unread: 'Unread',
    waiting: 'Waits for a person',
    has_draft: 'With my draft',
    customer: 'Customer',
    email: 'E-mail',
    since: 'Started after',
    until: 'Started before',
    updated_since: 'Changed since',
    sla_state: 'SLA',
    feedback: 'Rating',
    q: 'Words',
  },
  slaStates: { in_compliance: 'Kept', at_risk: 'At risk', breached: 'Missed' },
  ratings: { up: 'Helpful', down: 'Not helpful' },
  view: 'View',
  customerHint: 'Name, address or number',
  clearFilters: 'Clear',
  removeFilter: (name: string) => `Remove the filter ${name}`,
  search: 'Search conversations',
  searchHint: 'Words, names, tags, notes',
  searchHelp: 'from: tag: channel: is: before: after: "exact words" -without OR',
  closeSearch: 'Close the search',
  statuses: {
    open: 'Open',
    claimed: 'With a person',
    escalated: 'Waits for a person',
    snoozed: 'Snoozed',
    resolved: 'Resolved',
    archived: 'Archived',
  },
  priorities: { urgent: 'Urgent', high: 'High', normal: 'Normal', low: 'Low' },
  me: 'Me',
  nobody: 'Nobody',
  list: 'Conversations',
  anonymous: 'Visitor',
  anonymousOn: (channel: string) => `Visitor on ${channel}`,
  you: 'You',
  somebody: 'Somebody',
  assistant: 'Assistant',
  noMessage: 'No message yet',
  draft: 'Draft',
  isTyping: (name: string) => `${name} is typing…`,
  isWriting: (name: string) => `${name} is writing…`,
  isLooking: (name: string) => `${name} is looking`,
  unreadMessages: (count: number) => plural(count, { one: '# unread message', other: '# unread messages' }),
  waits: (time: string) => `waits ${time}`,
  overdue: (time: string) => `${time} over`,
  assignedTo: (name: string) => `assigned to ${name}`,
  priorityIs: (name: string) => `${name} priority`,
  snoozedUntil: (time: string) => `Until ${time}`,
  gone: 'No longer in this view',
  moreTags: (count: number) => `+${number(count)}`,
  minutes: (count: number) => `${number(count)} min`,
  hours: (count: number) => `${number(count)} h`,
  days: (count: number) => `${number(count)} d`,
  now: 'now',
  selectRow: (name: string) => `Select ${name}`,
  loadingMore: 'Loading more',
  end: 'That is all.',
  bulk: {
    label: 'Selected conversations',
    picked: (count: number) => `${number(count)} selected`,
    all: (count: number | null) => (count === null ? 'All that match' : `All ${number(count)} that match`),
    pickAll: (count: number | null) =>
      count === null ? 'Select all that match' : `Select all ${number(count)} that match`,
    clear: 'Clear the selection',
    stop: 'Stop',
    unknown: 'The server did not tell how far the change got. The list shows what is done.',
    stopped: (done: number, total: number) => `Stopped after ${number(done)} of ${number(total)}`,
    progress: (done: number, total: number) => `${number(done)} of ${number(total)}`,
    undoing: 'Taking it back',
    waits: 'Starts in a few seconds',
  },
  actions: {
    resolve: 'Resolve',
    resolveAndNext: 'Resolve and next',
    reopen: 'Open again',
    assign: 'Assign',
    assignMe: 'Assign to me',
    snooze: 'Snooze',
    tags: 'Tags',
    priority: 'Priority',
    delete: 'Delete',
    read: 'Mark as read',
    unread: 'Mark as unread',
    toggleUnread: 'Unread or read',
    pick: 'Select',
    pickRange: 'Select up to here',
    pickAll: 'Select all that match',
    next: 'Next conversation',
    previous: 'Previous conversation',
    open: 'Open conversation',
    views: 'Go to the views',
    retry: 'Try again',
    clear: 'Clear the selection',
  },
  hints: {
    move: 'move',
    select: 'select',
    resolve: 'resolve',
    keys: 'keys',
    views: 'views',
    answers: 'channels',
  },
  /** A change as the end of “This did not work: …”. */
  did: (change: Change): string => {
    if (change.delete === true) return 'Not deleted';
    if (change.read === true) return 'Not marked as read';
    if (change.read === false) return 'Not marked as unread';
    if (change.status === 'snoozed') return 'Not snoozed';
    if (change.status === 'resolved') return 'Not resolved';
    if (change.status !== undefined) return 'Not opened';
    if (change.assignee_id !== undefined) return 'Not assigned';
    if (change.priority !== undefined) return 'Priority not changed';
    return 'Tags not changed';
  },
  notDone: (what: string, why: string) => `${what}: ${why}`,
  notUndone: (why: string) => `Not taken back: ${why}`,
  unreachable: 'the server cannot be reached.',
  done: (change: Change, count: number) => {
    const what = conversations(count);
    if (change.status === 'snoozed') return `${what} snoozed`;
    if (change.status === 'resolved') return `${what} resolved`;
    if (change.status !== undefined) return `${what} opened`;
    if (change.assignee_id === null) return `${what} back in the queue`;
    if (change.assignee_id !== undefined) return `${what} assigned`;
    if (change.priority !== undefined) return `Priority of ${what} changed`;
    return `Tags of ${what} changed`;
  },
  doneOf: (change: Change, { changing, all }: Counts): string => {
    const done = inbox.done(change, changing);
    return change.status === 'resolved' && all > changing
      ? `${done}, ${alreadyResolved(all - changing)}`
      : done;
  },
  /** Without counts: only the server knows how many. */
  doing: (change: Change, counts: Counts | null): string => {
    const many = counts === null ? '' : ` ${number(counts.changing)}`;
    if (change.delete === true) return `Deleting${many}`;
    if (change.status === 'snoozed') return `Snoozing${many}`;
    if (change.status === 'resolved') {
      if (counts === null || counts.all === counts.changing) return `Resolving${many}`;
      return `Resolving${many} of ${number(counts.all)}, ${alreadyResolved(counts.all - counts.changing)}`;
    }
    if (change.status !== undefined) return `Opening${many} again`;
    if (change.assignee_id !== undefined) return `Assigning${many}`;
    return `Changing${many}`;
  },
  deleting: (count: number) => `${conversations(count)} will be deleted`,
  pick: {
    snooze: (name: string) => `Snooze ${name}`,
    assign: (name: string) => `Assign ${name}`,
    tags: (name: string) => `Tags of ${name}`,
    priority: (name: string) => `Priority of ${name}`,
    many: conversations,
    snoozeHint: 'When it comes back…',
    assignHint: 'Name…',
    tagsHint: 'Tag…',
    priorityHint: 'Priority…',
    nothing: 'Nothing matches',
    queue: 'Nobody, back to the queue',
    available: 'Available',
    away: 'Away',
    open: (count: number) => `${number(count)} open`,
    addTag: (tag: string) => `Add “${tag}”`,
    laterToday: 'In 3 hours',
    oneHour: 'In an hour',
    tomorrow: 'Tomorrow',
    weekend: 'Saturday',
    monday: 'Monday',
    nextWeek: 'In a week',
    custom: 'At another time',
    customTime: 'Date and time',
    past: 'Choose a time to come.',
    owners: 'This is for owners.',
  },
  empty: {
    waiting: 'No conversation waits. New ones come in here by themselves.',
    view: 'No conversation is in this view.',
    matches: 'No conversation matches.',
    nobodyWaits: 'Nobody waits',
    nobodyWaitsText: 'New conversations show here by themselves.',
    answeredToday: (count: number, low: number) => {
      const answered = plural(count, {
        one: '# question was answered today',
        other: '# questions were answered today',
      });
      return low === 0 ? `${answered}, all with confidence` : `${answered}, ${low} with low confidence`;
    },
    lookAtAll: 'All conversations',
    mine: (count: number) =>
      plural(count, { one: '# conversation of yours is open', other: '# conversations of yours are open' }),
    snoozed: (name: string, time: string) => `${name} comes back ${time}`,
    isSnoozed: 'Snoozed',
    look: 'Look at them',
    showMine: 'Show mine',
    choose: 'Choose a conversation',
    chooseText: 'J and K move through the list.',
    first: 'Your first conversation',
    firstText: 'Write to your own demo page as a visitor would, and answer here.',
    demo: 'Write to your demo page',
    noDemo: 'Connect a channel',
    noDemoText: 'Connect a channel, write to it as a visitor would, and answer here.',
    firstList: 'No conversation yet.',
  },
  right: 'The inbox is for people who answer.',
  failed: 'The conversations did not load',
  stale: 'The list may be out of date: it could not be read. It is tried again.',
  availability: {
    available: 'Available',
    away: 'Away',
    hint: 'Conversations are assigned to people who are available and have the dashboard open.',
    label: 'Available for new conversations',
  },
};
