package org.lengthwise.recall;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonTypeName;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.lengthwise.config.AbsentMeans;
import org.lengthwise.config.Checks;

/**
 * Needles {@code KEY name d1..d5} among letters; at the end the digits of one name are asked. Ids:
 * digits 0..9, letters 10..35, names 36..43, KEY 44, ASK 45. Sources: Mohtashami and Jaggi,
 * "Landmark Attention", NeurIPS 2023; with decoys Hsieh et al., "RULER", COLM 2024.
 *
 * @param lengths the shortest and the longest training length T
 * @param decoys D, the needles that are not asked
 * @param depth the share of the letters before the asked needle, in a measurement; absent for a
 *     uniform place
 */
@JsonTypeName("passkey")
public record Passkey(
    List<Integer> lengths,
    int decoys,
    @JsonInclude(JsonInclude.Include.NON_NULL) @AbsentMeans("null") @Nullable Double depth)
    implements DrawnTask {
  private static final int DIGITS = 10;
  private static final int LETTERS_END = 36;
  private static final int NAMES_END = 44;
  private static final int KEY = 44;
  private static final int ASK = 45;
  private static final int NUM_DIGITS = 5;
  private static final int NEEDLE = 2 + NUM_DIGITS;
  private static final int QUESTION = 1 + NUM_DIGITS;

  public Passkey {
    Checks.require(
        0 <= decoys && decoys < NAMES_END - LETTERS_END, "decoys", "0 to 7, 8 names", decoys);
    if (depth != null) {
      Checks.within("depth", depth, 0, 1);
    }
    int least = room(0, decoys);
    lengths = Form.range(lengths, length -> length + least >= 0, "%s or more".formatted(-least));
  }

  @Override
  public Form form() {
    return new Form(
        "the key of a name (Mohtashami and Jaggi 2023, Hsieh et al. 2024)",
        ASK + 1,
        1.0 / DIGITS,
        length -> room(length, decoys) >= 0,
        length -> length,
        List.of(new Baseline("any needle", Passkey::anyNeedle)));
  }

  private static int room(int length, int decoys) {
    return length - QUESTION - NEEDLE * (decoys + 1);
  }

  /** The digit of a needle that a checksum of the ids chooses. */
  private static int anyNeedle(RecallString string, int t) {
    int[] ids = string.ids();
    int[] places = needles(ids);
    int place = places[Math.floorMod(Arrays.hashCode(ids), places.length)];
    return ids[place + 2 + t - (ids.length - NUM_DIGITS)];
  }

  private static int[] needles(int[] ids) {
    return IntStream.range(0, ids.length).filter(t -> ids[t] == KEY).toArray();
  }

  /** {@return whether predicted digits are the key of a needle that is not asked} */
  public static boolean isDecoy(RecallString string, int[] predicted) {
    int asked = string.ids().length - NUM_DIGITS - string.distance()[string.ids().length - 1] - 2;
    return Arrays.stream(needles(string.ids()))
        .filter(place -> place != asked)
        .anyMatch(
            place ->
                Arrays.equals(
                    string.ids(), place + 2, place + NEEDLE, predicted, 0, predicted.length));
  }

  @Override
  public int[] draw(int length, Stream stream, Random random) {
    int room = room(length, decoys);
    int[] names = Answers.different(decoys + 1, NAMES_END - LETTERS_END, random);
    int asked = random.nextInt(decoys + 1);
    int[] cuts = Answers.uniform(decoys + 1, room + 1, random);
    if (depth != null && stream == Stream.TEST) {
      cuts[asked] = (int) Math.floor(depth * room + 0.5);
    }
    int[] ids = new int[length];
    int t = 0;
    int askedAt = 0;
    for (int before = 0; before <= room; before++) {
      for (int i = 0; i <= decoys; i++) {
        if (cuts[i] == before) {
          askedAt = i == asked ? t : askedAt;
          ids[t++] = KEY;
          ids[t++] = LETTERS_END + names[i];
          for (int digit = 0; digit < NUM_DIGITS; digit++) {
            ids[t++] = random.nextInt(DIGITS);
          }
        }
      }
      if (before < room) {
        ids[t++] = DIGITS + random.nextInt(LETTERS_END - DIGITS);
      }
    }
    ids[t] = ASK;
    System.arraycopy(ids, askedAt + 1, ids, t + 1, NUM_DIGITS); // the name and four digits
    return ids;
  }

  @Override
  public RecallString label(int[] ids) {
    Answers answers = new Answers(ids);
    int[] placeOf = new int[NAMES_END];
    Arrays.fill(placeOf, RecallString.NONE);
    int ask = Math.max(0, ids.length - QUESTION);
    int t = 0;
    int keys = 0;
    while (t < ask) {
      if (ids[t] == KEY) {
        keys++;
        int place = t + 1;
        answers.require(
            answers.isIn(place, LETTERS_END, NAMES_END) && placeOf[ids[place]] < 0,
            place,
            "a new name");
        placeOf[ids[place]] = place;
        for (t += 2; t <= place + NUM_DIGITS; t++) {
          answers.require(t < ask && answers.isIn(t, 0, DIGITS), t, "a digit of a key");
        }
      } else {
        answers.require(answers.isIn(t, DIGITS, LETTERS_END), t++, "a letter or KEY");
      }
    }
    answers.require(keys == decoys + 1, ask, "%s keys before ASK".formatted(decoys + 1));
    answers.require(ASK, ask, "ASK");
    answers.require(answers.isIn(ask + 1, LETTERS_END, NAMES_END), ask + 1, "a name");
    int place = placeOf[ids[ask + 1]];
    answers.require(place >= 0, ask + 1, "a name with a key");
    for (int i = 1; i <= NUM_DIGITS; i++) {
      answers.ask(ask + i, ids[place + i], place + i);
      answers.require(
          i == NUM_DIGITS || ids[ask + 1 + i] == ids[place + i],
          ask + 1 + i,
          "digit %s of the key".formatted(i));
    }
    return answers.string();
  }
}
