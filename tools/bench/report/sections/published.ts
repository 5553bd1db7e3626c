import { paragraph, textTable } from '../markdown.ts';

/** What others have published of other operators. None of it was measured by this benchmark. */
const PUBLISHED: readonly { readonly operator: string; readonly setup: string; readonly figures: string; readonly source: string }[] = [
  {
    operator: 'kubeflow/spark-operator 2.1.0 (spark-submit)',
    setup: 'EKS 1.31, the operator alone on 36 vCPU, 6,000 applications with 5 executors each, 1,000 created a minute',
    figures: 'with 10 workers about 130 applications a minute on about 25 cores, with 20 workers 140 to 155 on about 35; the webhook adds about 60 s to a start; statuses up to half an hour late',
    source: '[Kubeflow Spark Operator Benchmarks](https://www.kubeflow.org/docs/components/spark-operator/performance/benchmarking/)',
  },
  {
    operator: 'kubeflow/spark-operator 2 (spark-submit)',
    setup: '50 × m5.4xlarge',
    figures: 'starts take 2 to 4 s at 50 to 100 applications a minute, 12 s at 150; at 200 they get later and later',
    source: '[a comment on pull request 1990](https://github.com/kubeflow/spark-operator/pull/1990)',
  },
  {
    operator: 'EMR on EKS, v1beta2-1.3.8 (spark-submit)',
    setup: 'EKS 1.30, 30 threads',
    figures: '20 to 30 applications a minute for one operator; 250 to 270 for a cluster with 10 to 15 of them',
    source: '[AWS, EMR containers best practices](https://aws.github.io/aws-emr-containers-best-practices/scalability/docs/load-test-for-spark-operator)',
  },
  {
    operator: 'kubeflow/spark-operator, changed: spark-submit rewritten in Go',
    setup: 'not said',
    figures: '300 to 380 applications a minute, in place of 80 with spark-submit',
    source: '[a comment on issue 1574](https://github.com/kubeflow/spark-operator/issues/1574)',
  },
  {
    operator: "apache/spark-kubernetes-operator (Spark's classes in the operator's JVM)",
    setup: '1,000 applications without executors, from their creation to the release of their resources; machine not said',
    figures: '193 s, which is about 310 a minute with all that happens on the nodes; 340 s some months before',
    source: '[pull request 404](https://github.com/apache/spark-kubernetes-operator/pull/404), [pull request 273](https://github.com/apache/spark-kubernetes-operator/pull/273)',
  },
];

/** Figures of other operators, as they were published. */
export function publishedSection(): string[] {
  return [
    '## Other operators, as published', '',
    ...paragraph(
      '**None of these ran here.** They are quoted from where they were published, with other machines, other clusters, other applications and other definitions of what counts, and are not to be divided by the figures above.',
      'What can be compared is spark-submit, which the first three start for each application: it ran here, in the same run.',
    ),
    ...textTable(['operator', 'where', 'published', 'source'], PUBLISHED.map(({ operator, setup, figures, source }) => [operator, setup, figures, source])),
  ];
}
