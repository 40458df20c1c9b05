import { describe, expect, test } from 'vitest';
import { readConfig } from '../../../core/config/config.ts';
import { findTelemetry } from '../../../core/config/telemetry.ts';

const settingsOf = (environment: Record<string, string>) => findTelemetry(readConfig(environment));
const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' };

describe('the settings of traces', () => {
  test('are absent without an endpoint, and if they are disabled', () => {
    expect(settingsOf({ OTEL_SERVICE_NAME: 'shop' })).toBeNull();
    expect(settingsOf({ ...endpoint, OTEL_SDK_DISABLED: 'true' })).toBeNull();
  });

  test('have the defaults of OpenTelemetry', () => {
    expect(settingsOf(endpoint)).toEqual({
      ...{ url: 'http://127.0.0.1:4318/v1/traces', headers: {}, serviceName: 'parley', resource: {} },
      ...{ sampler: 'parentbased_always_on', ratio: 1 },
    });
  });

  test.each([
    ['https://cloud.langfuse.com/api/public/otel', 'https://cloud.langfuse.com/api/public/otel/v1/traces'],
    ['http://collector:4318/', 'http://collector:4318/v1/traces'],
    ['http://collector/tenant///?key=1', 'http://collector/tenant/v1/traces?key=1'],
  ])('append the path to the general endpoint %s', (general, url) => {
    expect(settingsOf({ OTEL_EXPORTER_OTLP_ENDPOINT: general })?.url).toBe(url);
  });

  test('take the endpoint for traces as it is, and prefer it', () => {
    const traces = { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://other:1/spans' };
    expect(settingsOf({ ...endpoint, ...traces })?.url).toBe('http://other:1/spans');
  });

  test('decode headers and attributes', () => {
    const settings = settingsOf({
      ...endpoint,
      OTEL_EXPORTER_OTLP_HEADERS: 'Authorization=Basic%20cGs6c2s=, x-tenant = a%2Cb ,',
      OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'x-tenant=c',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=production',
    });
    expect(settings?.headers).toEqual({ Authorization: 'Basic cGs6c2s=', 'x-tenant': 'c' });
    expect(settings?.resource).toEqual({ 'deployment.environment.name': 'production' });
  });

  test.each([
    ['OTEL_EXPORTER_OTLP_HEADERS', 'secret-quagga'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'a=secret-quagga%0d%0ab: c'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'a=secret-quagga%'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'grpc://user:secret-quagga@collector'],
    ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc'],
    ['OTEL_TRACES_SAMPLER', 'jaeger_remote'],
    ['OTEL_TRACES_SAMPLER_ARG', '1.5'],
  ])('stop the start if %s is %s, and show no secret', (name, value) => {
    expect(() => readConfig({ [name]: value })).toThrow(new RegExp(`^${name} has .* Set it to `));
    expect(() => readConfig({ [name]: value })).not.toThrow(/quagga/);
  });
});
