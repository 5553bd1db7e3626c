import { flag, lost, numeric, onlyWith, prop, propsAt, type Translate, type ValuesTable } from './translation';

const ENABLED = 'prometheus.metrics.enable';
const MONITOR = 'prometheus.podMonitor.create';

/** The chart's empty value means this label. */
const APP_TYPE = 'app_type';

const labels: Translate = (value) => {
  const names = String(value || APP_TYPE).split(',').map((name) => name.trim()).filter(Boolean);
  return names.join() === APP_TYPE ? { note: 'the default here, too' } : { props: propsAt('metrics.applicationLabels', names) };
};

const scheme: Translate = (value) => (value === 'http' ? {} : { loss: 'metrics are served by HTTP; for TLS, put a proxy before them' });

/** The chart annotates the controller's pods for scrapers that go by annotations. */
const enable: Translate = (value, chart) => (value === false ? { props: propsAt('metrics.enabled', false) } : {
  props: {
    podAnnotations: {
      'prometheus.io/scrape': 'true', 'prometheus.io/port': String(chart.value('prometheus.metrics.port')), 'prometheus.io/path': '/metrics',
    },
  },
  note: 'the annotations that the chart adds for scrapers',
});

const PORT_NAME = 'the port is always named metrics; change the scraper, or use metrics.monitor';
const PATH = 'the path of the metrics is always /metrics; change the scraper, or use metrics.monitor';

/** Metrics of the operator, and the monitor that scrapes them. */
export const PROMETHEUS: ValuesTable = {
  'prometheus.metrics.enable': { byDefault: true, isDefaultTranslated: true, becomes: enable },
  'prometheus.metrics.port': { byDefault: 8080, becomes: onlyWith(ENABLED, numeric('metrics.port')) },
  'prometheus.metrics.portName': { byDefault: 'metrics', becomes: onlyWith(ENABLED, lost(PORT_NAME)) },
  'prometheus.metrics.endpoint': { byDefault: '/metrics', becomes: onlyWith(ENABLED, lost(PATH)) },
  'prometheus.metrics.prefix': { byDefault: '', becomes: onlyWith(ENABLED, prop('metrics.prefix')) },
  'prometheus.metrics.jobSubmitLatencyBuckets': {
    byDefault: '0.5,1,2,4,8,16,32,64,128,256', becomes: onlyWith(ENABLED, flag('metrics-job-submit-latency-buckets')),
  },
  'prometheus.metrics.jobStartLatencyBuckets': {
    byDefault: '30,60,90,120,150,180,210,240,270,300', becomes: onlyWith(ENABLED, flag('metrics-job-start-latency-buckets')),
  },
  'prometheus.metrics.labels': { byDefault: '', becomes: onlyWith(ENABLED, labels) },
  'prometheus.podMonitor.create': { byDefault: false, becomes: onlyWith(ENABLED, () => ({ props: propsAt('metrics.monitor.podMonitor', {}) })) },
  'prometheus.podMonitor.labels': { byDefault: {}, becomes: onlyWith(MONITOR, prop('metrics.monitor.podMonitor.labels')) },
  'prometheus.podMonitor.jobLabel': {
    byDefault: 'spark-operator-podmonitor', becomes: onlyWith(MONITOR, prop('metrics.monitor.podMonitor.jobLabel')),
  },
  'prometheus.podMonitor.podMetricsEndpoint.scheme': { byDefault: 'http', becomes: onlyWith(MONITOR, scheme) },
  'prometheus.podMonitor.podMetricsEndpoint.interval': {
    byDefault: '5s', isDefaultTranslated: true, becomes: onlyWith(MONITOR, prop('metrics.monitor.podMonitor.interval')),
  },
};
