import java.util.Locale;
import java.util.function.UnaryOperator;

/** A library in a jar of its own, for {@code JavaWords}. */
public final class Shouting implements UnaryOperator<String> {
  @Override
  public String apply(String word) {
    return word.toUpperCase(Locale.ROOT) + "!";
  }
}
