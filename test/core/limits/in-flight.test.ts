import { expect, test } from 'vitest';
import { type InFlightReport, InFlightRequests } from '../../../core/limits/in-flight.ts';

function watched() {
  const reports: InFlightReport[] = [];
  const told = Promise.withResolvers<void>();
  const failures: unknown[] = [];
  const inFlight = new InFlightRequests({
    report: (_key, report) => {
      reports.push(report);
      return told.promise;
    },
    failed: (error) => failures.push(error),
  });
  return { inFlight, reports, told, failures };
}

test('each request counts the earlier ones, and later reports have higher numbers', () => {
  const { inFlight } = watched();
  const enter = (key: string) => {
    inFlight.enter(key);
    return inFlight.report(key);
  };
  const [first, second] = [enter('a'), enter('a')];
  expect([first.requests, second.requests, enter('b').requests]).toEqual([1, 2, 1]);
  expect(second.number).toBeGreaterThan(first.number);
});

test('admitted requests are reported as ended, refused ones are not', () => {
  const { inFlight } = watched();
  for (const wasLetIn of [true, false, true]) {
    inFlight.enter('a');
    inFlight.leave('a', { wasLetIn, isAwaited: false });
  }
  inFlight.enter('a');
  expect(inFlight.report('a')).toMatchObject({ requests: 1, ended: 2 });
});

test('an awaited end is reported at once, others soon', async () => {
  const { inFlight, reports } = watched();
  for (let count = 0; count < 3; count += 1) inFlight.enter('a');
  inFlight.leave('a', { wasLetIn: true, isAwaited: true });
  expect(reports.map(({ requests }) => requests)).toEqual([2]);
  inFlight.leave('a', { wasLetIn: true, isAwaited: false });
  inFlight.leave('a', { wasLetIn: true, isAwaited: false });
  await expect.poll(() => reports.map(({ requests }) => requests)).toEqual([2, 0]);
});

test('closing waits for running reports, and nothing is reported after it', async () => {
  const { inFlight, reports, told } = watched();
  for (let count = 0; count < 3; count += 1) inFlight.enter('a');
  inFlight.leave('a', { wasLetIn: true, isAwaited: true });
  inFlight.leave('a', { wasLetIn: true, isAwaited: false });
  const closed = inFlight.close();
  inFlight.leave('a', { wasLetIn: true, isAwaited: true });
  told.resolve();
  await closed;
  expect(reports).toHaveLength(1);
});

test('a failed report is passed to the error callback', async () => {
  const { inFlight, told, failures } = watched();
  inFlight.enter('a');
  inFlight.leave('a', { wasLetIn: true, isAwaited: true });
  told.reject(new TypeError('no database'));
  await inFlight.close();
  expect(failures).toEqual([new TypeError('no database')]);
});
