package org.apache.spark.launcher;

import java.util.List;

/** Makes what the launcher of bin/spark-submit does to arguments visible outside of its package. */
public final class LauncherArguments {
  /** The arguments that the launcher hands to SparkSubmit. */
  public static List<String> of(List<String> given) {
    return new SparkSubmitCommandBuilder(given).buildSparkSubmitArgs();
  }

  private LauncherArguments() {}
}
