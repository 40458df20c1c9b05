import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { type AlertRule, listAlertRules } from '../../../core/health/alert-rules.ts';
import { loadLibrary } from '../../../server/docs/library.ts';
import { openTestServer } from '../../helpers/servers/open-test-server.ts';

const rules = listAlertRules('https://parley.example/docs/guide');
const { app, runtime } = await openTestServer();

test('every part of the installation has an alert, and no alert names a part that is not there', async () => {
  const known = Object.keys(await runtime.readiness.parts());
  const named = rules.flatMap(({ expr }) => /part="(\w+)"/.exec(expr)?.[1] ?? []);
  expect(named.toSorted()).toEqual(known.toSorted());
});

test('an alert has a name of its own, says what to do, and its heading in the runbook', async () => {
  const page = (await loadLibrary()).pages.find(({ path }) => path === 'guide/runbook');
  const anchors = page?.headings.filter(({ depth }) => depth === 3).map(({ anchor }) => anchor) ?? [];
  const wanted = rules.map(({ annotations }) => new URL(annotations.runbook_url).hash.slice(1));
  expect(wanted.toSorted()).toEqual(anchors.toSorted());
  expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
  for (const { annotations } of rules) expect(annotations.description).toMatch(/^[A-Zn].{20,}\.$/);
});

test('the metrics of all rules are measured', async () => {
  const headers = { authorization: `Bearer ${runtime.installation.adminToken}` };
  const { body } = await app.inject({ url: '/metrics', headers });
  const known = new Set([...body.matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name));
  // Spans are counted where an endpoint is set.
  known.add('parley_spans_total');
  const used = rules.flatMap(({ expr }) => expr.match(/\b(?:parley|http|channel)_\w+/g) ?? []);
  expect(used.filter((name) => !known.has(name))).toEqual([]);
});

const hasPromtool = spawnSync('promtool', ['--version']).status === 0;

describe.skipIf(!hasPromtool)('Prometheus (skipped without promtool)', () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-alerts-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'rules.yml');

  test('reads the rules, and fires each that it should', () => {
    writeFileSync(file, JSON.stringify({ groups: [{ name: 'parley', rules }] }));
    expect(execFileSync('promtool', ['check', 'rules', file], { encoding: 'utf8' })).toContain('SUCCESS');
    const tests = { rule_files: [file], evaluation_interval: '1m', tests: [...fired(), calm()] };
    const cases = join(folder, 'tests.yml');
    writeFileSync(cases, JSON.stringify(tests));
    const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', cases], { encoding: 'utf8' });
    expect([status, stdout + stderr]).toEqual([0, expect.stringContaining('SUCCESS')]);
  });

  test('a rule that a planted fault does not fire is found', () => {
    const { alert, annotations, labels } = find('ParleyAnswer');
    const cases = join(folder, 'planted.yml');
    const alerts = [
      {
        eval_time: '5m',
        alertname: alert,
        exp_alerts: [{ exp_annotations: annotations, exp_labels: labels }],
      },
    ];
    const input_series = [{ series: 'parley_part_up{part="answer"}', values: '1x10' }];
    writeFileSync(
      cases,
      JSON.stringify({
        rule_files: [file],
        evaluation_interval: '1m',
        tests: [{ interval: '1m', input_series, alert_rule_test: alerts }],
      }),
    );
    expect(spawnSync('promtool', ['test', 'rules', cases]).status).toBe(1);
    expect(readFileSync(file, 'utf8')).toContain(alert);
  });
});

function find(name: string): AlertRule {
  const rule = rules.find(({ alert }) => alert === name);
  if (rule === undefined) throw new TypeError(`there is no rule ${name}`);
  return rule;
}

/** A test of promtool for each part: two processes, one of which sees it fail, and the alert after its time. */
function fired() {
  return rules.flatMap(({ alert, expr, labels, annotations }) => {
    const part = /part="(\w+)"/.exec(expr)?.[1];
    if (part === undefined) return [];
    return {
      interval: '1m',
      input_series: [
        { series: `parley_part_up{part="${part}",instance="a"}`, values: '1x20' },
        { series: `parley_part_up{part="${part}",instance="b"}`, values: '1 1 0x20' },
      ],
      alert_rule_test: [
        { eval_time: '3m', alertname: alert, exp_alerts: [] },
        {
          eval_time: '5m',
          alertname: alert,
          exp_alerts: [{ exp_labels: { ...labels, part }, exp_annotations: annotations }],
        },
      ],
    };
  });
}

/** An hour in which everything is well: nothing fires. */
function calm() {
  const series = (name: string, values: string) => ({ series: name, values });
  return {
    interval: '1m',
    input_series: [
      ...rules.flatMap(({ expr }) => {
        const part = /part="(\w+)"/.exec(expr)?.[1];
        return part === undefined ? [] : [series(`parley_part_up{part="${part}"}`, '1x60')];
      }),
      series('http_requests_total{status="200"}', '0+100x60'),
      series('http_requests_total{status="500"}', '0+1x60'),
      series('parley_process_faults_total{kind="uncaught_exception"}', '0x60'),
      series('channel_unanswerable_messages{channel="mail"}', '3x60'),
      series('channel_dead_parts{channel="mail"}', '3x60'),
      series('parley_channel_up{channel="mail",id="chan_1"}', '1x60'),
      series('parley_channel_stale{channel="mail",id="chan_1"}', '0x60'),
      series('parley_notifications_age_seconds{channel="frames"}', '5x60'),
    ],
    alert_rule_test: rules.map(({ alert }) => ({ eval_time: '60m', alertname: alert, exp_alerts: [] })),
  };
}
