import { foreignConstructs } from './_foreign-constructs';
import { wrongProfile } from './_profile-checks';
import { ChangingSpec } from './_changing-spec';
import { rejectArguments } from './_check';
import { checkedProps, withoutRepetitions } from './_prop-types';
import { hasLocalDirs, withoutLocalDirs } from './_local-dirs';
import { PROFILE_PROP_TYPES } from './_workload-prop-types';
import { workloadSpec } from './_workload-spec';
import { SparkProfileProps } from './spark-profile-props';
import { withWeaker } from '../plan/defaults/apply';

/**
 * Settings that many applications, schedules and Spark Connect servers share, such as those of a
 * team. They apply unless an application sets others: maps are merged key by key, lists entry by
 * entry (variables, volumes, Secrets and so on by their names), as the operator merges the defaults
 * of a namespace. Settings that a kind does not have are without effect there.
 */
export class SparkProfile {
  /**
   * Creates a profile.
   *
   * @param props Settings.
   */
  public static of(props: SparkProfileProps): SparkProfile {
    return new SparkProfile(specOf('SparkProfile.of', props));
  }

  private constructor(private readonly spec: ChangingSpec) {}

  /**
   * Returns a profile with more settings, which take precedence over those of this one.
   *
   * @param props Settings.
   */
  public extend(props: SparkProfileProps): SparkProfile {
    const own = specOf('SparkProfile.extend', props);
    return new SparkProfile(withWeaker(own, hasLocalDirs(own) ? withoutLocalDirs(this.spec) : this.spec));
  }

  /** @internal */
  public _toSpec(): ChangingSpec {
    return this.spec;
  }
}

function specOf(factory: string, given: SparkProfileProps): ChangingSpec {
  rejectArguments(factory, foreignConstructs(given));
  const { props, problems } = checkedProps(given, PROFILE_PROP_TYPES);
  rejectArguments(factory, withoutRepetitions(problems, wrongProfile(props)));
  return workloadSpec(props);
}
