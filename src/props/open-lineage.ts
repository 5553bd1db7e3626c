/** Lineage events of a workload: the data sets that its queries read and write. */
export interface OpenLineageOptions {
  /**
   * URL of the server that receives the events, such as `http://marquez.lineage:5000`.
   */
  readonly url: string;

  /**
   * Namespace of the jobs in the lineage.
   *
   * @default - OpenLineage's: `default`
   */
  readonly namespace?: string;

  /**
   * Maven coordinate of the listener for the Scala version of the image, such as
   * `io.openlineage:openlineage-spark_2.13:1.53.0`. The driver downloads it.
   *
   * @default - none; the image contains the listener
   */
  readonly listenerPackage?: string;
}
