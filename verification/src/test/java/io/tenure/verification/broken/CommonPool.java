package io.tenure.verification.broken;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.SubmissionPublisher;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

final class CommonPool {
    Executor pool() {
        return ForkJoinPool.commonPool();
    }

    long collection(List<String> list) {
        return list.parallelStream().count();
    }

    long stream(Stream<String> stream) {
        return stream.parallel().count();
    }

    long numbers() {
        return IntStream.range(0, 9).parallel().count();
    }

    long spliterator(List<String> list) {
        return StreamSupport.stream(list.spliterator(), true).count();
    }

    void array(long[] numbers) {
        Arrays.parallelSort(numbers);
    }

    void map(ConcurrentHashMap<String, String> map) {
        map.forEach(1, (key, value) -> {});
    }

    String search(ConcurrentHashMap<String, String> map) {
        return map.searchValues(1, value -> value);
    }

    ForkJoinTask<Integer> fork(ForkJoinTask<Integer> task) {
        return task.fork();
    }

    SubmissionPublisher<String> publisher() {
        return new SubmissionPublisher<>();
    }

    long inOrder(List<String> list) {
        return list.stream().sequential().count();
    }

    void one(ConcurrentHashMap<String, String> map) {
        map.forEach((key, value) -> {});
    }
}
